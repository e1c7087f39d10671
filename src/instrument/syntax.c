/* The tree of a source file, by libclang, as a list of nodes at their offsets. */
#include "instrument/syntax.h"

#include "base/memory.h"
#include "base/text_file.h"
#include "instrument/instrument.h"

#include <stdio.h>
#include <string.h>

void fth_syntax_free(struct fth_syntax *syntax)
{
    free(syntax->text);
    free(syntax->functions);
    free(syntax->nodes);
    fth_source_tokens_free(&syntax->tokens);
    fth_arena_free(&syntax->arena);
    *syntax = (struct fth_syntax){0};
}

uint32_t fth_syntax_line(const struct fth_syntax *syntax, uint32_t offset)
{
    uint32_t line = 1;
    for (uint32_t i = 0; i < offset && i < syntax->length; i++)
        line += syntax->text[i] == '\n';
    return line;
}

#ifndef FATHOM_LIBCLANG

const bool fth_syntax_is_built_in = false;

int fth_syntax_read(struct fth_syntax *syntax, const char *path, const char *text,
                    const char *const *arguments, size_t argument_count, struct fth_error **error)
{
    *syntax = (struct fth_syntax){.path = path};
    (void)text;
    (void)arguments;
    (void)argument_count;
    return fth_fail(error, "cannot read '%s': this fathom was built without libclang", path);
}

#else

#include "instrument/libclang.h"

const bool fth_syntax_is_built_in = true;

/* A tree that is gone through. */
struct visit {
    struct fth_syntax *syntax;
    size_t deep;
};
enum { DEEPEST = 4000 };

static const char *keep(struct fth_syntax *syntax, CXString string)
{
    const char *text = fth_clang.getCString(string);
    size_t length = text ? strlen(text) + 1 : 1;
    char *kept = fth_arena_take(&syntax->arena, length);
    memcpy(kept, text ? text : "", length);
    fth_clang.disposeString(string);
    return kept;
}

/* Where in the file it stands; false: not in this file, or nowhere. */
static bool place_of(const struct visit *visit, CXCursor cursor, uint32_t *begin, uint32_t *end)
{
    CXSourceRange range = fth_clang.getCursorExtent(cursor);
    CXSourceLocation first = fth_clang.getRangeStart(range), last = fth_clang.getRangeEnd(range);
    CXFile from = NULL, to = NULL;
    fth_clang.getFileLocation(first, &from, NULL, NULL, begin);
    fth_clang.getFileLocation(last, &to, NULL, NULL, end);
    return from && from == to && *begin < *end && *end <= visit->syntax->length;
}

static struct fth_syntax_node *add_node(struct fth_syntax *syntax, uint32_t begin, uint32_t end)
{
    FTH_GROW(syntax->nodes, syntax->node_count);
    struct fth_syntax_node *node = &syntax->nodes[syntax->node_count++];
    *node = (struct fth_syntax_node){.begin = begin, .end = end};
    return node;
}

/* ---- functions ---- */

static bool is_function(enum CXCursorKind kind)
{
    return kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod ||
           kind == CXCursor_Constructor || kind == CXCursor_Destructor ||
           kind == CXCursor_ConversionFunction || kind == CXCursor_FunctionTemplate;
}

static const char *qualified_name(struct fth_syntax *syntax, CXCursor cursor, const char *name)
{
    CXCursor parent = fth_clang.getCursorSemanticParent(cursor);
    for (int i = 0; i < 16; i++) {
        enum CXCursorKind kind = fth_clang.getCursorKind(parent);
        if (kind != CXCursor_ClassDecl && kind != CXCursor_StructDecl &&
            kind != CXCursor_Namespace && kind != CXCursor_ClassTemplate)
            break;
        const char *outer = keep(syntax, fth_clang.getCursorSpelling(parent));
        size_t length = strlen(outer) + strlen(name) + 3;
        char *whole = fth_arena_take(&syntax->arena, length);
        snprintf(whole, length, "%s::%s", outer, name);
        name = whole;
        parent = fth_clang.getCursorSemanticParent(parent);
    }
    return name;
}

static void add_function(struct visit *visit, CXCursor cursor)
{
    struct fth_syntax *syntax = visit->syntax;
    struct fth_syntax_function function = {0};
    if (!fth_clang.isCursorDefinition(cursor) ||
        !place_of(visit, cursor, &function.begin, &function.end))
        return;
    function.name = keep(syntax, fth_clang.getCursorSpelling(cursor));
    function.qualified = qualified_name(syntax, cursor, function.name);
    FTH_GROW(syntax->functions, syntax->function_count);
    syntax->functions[syntax->function_count++] = function;
}

/* ---- statements ---- */

/* The word before it says whether it is a condition or a body. */
static bool is_body(const struct fth_syntax *syntax, enum CXCursorKind parent, uint32_t begin)
{
    size_t token = fth_source_token_at(&syntax->tokens, begin);
    if (!token)
        return false;
    token--;
    switch (parent) {
    case CXCursor_IfStmt:
        return fth_source_token_is(&syntax->tokens, token, ")") ||
               fth_source_token_is(&syntax->tokens, token, "else");
    case CXCursor_WhileStmt:
    case CXCursor_ForStmt:
    case CXCursor_CXXForRangeStmt:
    case CXCursor_SwitchStmt:
        return fth_source_token_is(&syntax->tokens, token, ")");
    case CXCursor_DoStmt:
        return fth_source_token_is(&syntax->tokens, token, "do");
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        return fth_source_token_is(&syntax->tokens, token, ":");
    default:
        return false;
    }
}

static bool is_loop(enum CXCursorKind kind)
{
    return kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt ||
           kind == CXCursor_CXXForRangeStmt;
}

/* The node of the loop is the last one of this begin; the body comes after it. */
static void note_body(struct fth_syntax *syntax, size_t loop, uint32_t begin)
{
    if (syntax->text[begin] == '{')
        syntax->nodes[loop].body = begin + 1;
}

struct level {
    struct visit *visit;
    enum CXCursorKind parent;
    size_t node; /* of the parent, SIZE_MAX: it has none */
};

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data);

static void go_down(struct visit *visit, CXCursor cursor, enum CXCursorKind kind, size_t node)
{
    struct level level = {visit, kind, node};
    if (visit->deep == DEEPEST)
        return;
    visit->deep++;
    fth_clang.visitChildren(cursor, look, &level);
    visit->deep--;
}

static void add_statement(struct level *level, CXCursor cursor, enum CXCursorKind kind,
                          uint32_t begin, uint32_t end)
{
    struct fth_syntax *syntax = level->visit->syntax;
    size_t number = syntax->node_count;
    struct fth_syntax_node *node = add_node(syntax, begin, end);
    node->is_in_block = level->parent == CXCursor_CompoundStmt;
    node->is_statement = node->is_in_block || is_body(syntax, level->parent, begin);
    node->is_block = kind == CXCursor_CompoundStmt;
    node->declares = kind == CXCursor_DeclStmt;
    if (kind == CXCursor_CallExpr) {
        node->call = keep(syntax, fth_clang.getCursorSpelling(cursor));
        node->call = *node->call ? node->call : NULL;
    }
    size_t behind = fth_source_token_at(&syntax->tokens, end);
    if (node->is_statement && fth_source_token_is(&syntax->tokens, behind, ";"))
        node->end = syntax->tokens.list[behind].end;
    if (kind == CXCursor_CompoundStmt && is_loop(level->parent) && level->node != SIZE_MAX)
        note_body(syntax, level->node, begin);
    if (kind == CXCursor_CompoundStmt && is_function(level->parent) && syntax->text[begin] == '{' &&
        syntax->function_count)
        syntax->functions[syntax->function_count - 1].body = begin + 1;
    go_down(level->visit, cursor, kind, number);
}

static enum CXChildVisitResult look(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct level *level = data;
    enum CXCursorKind kind = fth_clang.getCursorKind(cursor);
    uint32_t begin, end;
    (void)parent;
    if (level->parent == CXCursor_TranslationUnit &&
        !fth_clang.Location_isFromMainFile(fth_clang.getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (kind == CXCursor_MacroExpansion) {
        if (place_of(level->visit, cursor, &begin, &end))
            add_node(level->visit->syntax, begin, end)->call =
                keep(level->visit->syntax, fth_clang.getCursorSpelling(cursor));
        return CXChildVisit_Continue;
    }
    if (is_function(kind))
        add_function(level->visit, cursor);
    if ((fth_clang.isExpression(kind) || fth_clang.isStatement(kind)) &&
        place_of(level->visit, cursor, &begin, &end))
        add_statement(level, cursor, kind, begin, end);
    else
        go_down(level->visit, cursor, kind, SIZE_MAX);
    return CXChildVisit_Continue;
}

/* ---- the list ---- */

static int by_place(const void *one, const void *other)
{
    const struct fth_syntax_node *a = one, *b = other;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end == b->end ? 0 : a->end > b->end ? -1 : 1;
}

/* An expression that is a statement has a node with its semicolon, and those of the same words
 * inside: a macro, and what it has become. They become one. */
static void join_nodes(struct fth_syntax *syntax)
{
    size_t kept = 0;
    if (syntax->node_count)
        qsort(syntax->nodes, syntax->node_count, sizeof *syntax->nodes, by_place);
    for (size_t i = 0; i < syntax->node_count; i++) {
        struct fth_syntax_node node = syntax->nodes[i];
        struct fth_syntax_node *last = kept ? &syntax->nodes[kept - 1] : NULL;
        if (!last || last->begin != node.begin || last->end != node.end) {
            syntax->nodes[kept++] = node;
            continue;
        }
        last->is_statement |= node.is_statement;
        last->is_in_block |= node.is_in_block;
        last->is_block |= node.is_block;
        last->declares |= node.declares;
        last->body = last->body ? last->body : node.body;
        last->call = last->call ? last->call : node.call;
    }
    syntax->node_count = kept;
}

/* ---- reading ---- */

static int check_diagnostics(CXTranslationUnit unit, struct fth_error **error)
{
    unsigned count = fth_clang.getNumDiagnostics(unit);
    for (unsigned i = 0; i < count && !*error; i++) {
        CXDiagnostic diagnostic = fth_clang.getDiagnostic(unit, i);
        if (fth_clang.getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            CXString file, text = fth_clang.getDiagnosticSpelling(diagnostic);
            unsigned line, column;
            fth_clang.getPresumedLocation(fth_clang.getDiagnosticLocation(diagnostic), &file, &line,
                                          &column);
            fth_fail(error, "%s:%u:%u: %s", fth_clang.getCString(file), line, column,
                     fth_clang.getCString(text));
            fth_clang.disposeString(file);
            fth_clang.disposeString(text);
        }
        fth_clang.disposeDiagnostic(diagnostic);
    }
    return *error ? -1 : 0;
}

static int read_text(struct fth_syntax *syntax, const char *text, struct fth_error **error)
{
    if (text) {
        syntax->text = fth_text_copy(text);
        syntax->length = strlen(text);
        return 0;
    }
    FILE *file = fth_text_file(syntax->path, FTH_TEXT_MOST_BYTES, error);
    if (!file)
        return -1;
    size_t limit = 0;
    do {
        limit = limit ? 2 * limit : 1 << 16;
        syntax->text = fth_resize(syntax->text, limit + 1, 1);
        syntax->length += fread(syntax->text + syntax->length, 1, limit - syntax->length, file);
    } while (syntax->length == limit);
    syntax->text[syntax->length] = 0;
    fclose(file);
    return 0;
}

int fth_syntax_read(struct fth_syntax *syntax, const char *path, const char *text,
                    const char *const *arguments, size_t argument_count, struct fth_error **error)
{
    *syntax = (struct fth_syntax){.path = path};
    if (fth_clang_load(error) || read_text(syntax, text, error))
        return -1;
    fth_source_tokens_read(&syntax->tokens, syntax->text, syntax->length);
    struct CXUnsavedFile file = {path, syntax->text, syntax->length};
    CXIndex index = fth_clang.createIndex(0, 0);
    CXTranslationUnit unit = NULL;
    enum CXErrorCode code =
        fth_clang.parseTranslationUnit2(index, path, arguments, (int)argument_count, &file, 1,
                                        CXTranslationUnit_DetailedPreprocessingRecord, &unit);
    int result = code || !unit ? fth_fail(error, "%s: libclang cannot read it", path)
                               : check_diagnostics(unit, error);
    if (!result) {
        struct visit visit = {.syntax = syntax};
        go_down(&visit, fth_clang.getTranslationUnitCursor(unit), CXCursor_TranslationUnit,
                SIZE_MAX);
        join_nodes(syntax);
    }
    if (unit)
        fth_clang.disposeTranslationUnit(unit);
    fth_clang.disposeIndex(index);
    return result;
}

#endif
