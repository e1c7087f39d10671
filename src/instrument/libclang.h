/* Inner header of the instrument room: libclang, loaded when sources are read. It brings a compiler
 * of a hundred megabytes, which no other command should have to load. */
#ifndef FTH_INSTRUMENT_LIBCLANG_H
#define FTH_INSTRUMENT_LIBCLANG_H

#include "base/error.h"

#include <clang-c/Index.h>

/* Its functions by their names without clang_. */
#define FTH_CLANG_FUNCTIONS(X)                                                                     \
    X(createIndex)                                                                                 \
    X(disposeIndex)                                                                                \
    X(parseTranslationUnit2)                                                                       \
    X(disposeTranslationUnit)                                                                      \
    X(getNumDiagnostics)                                                                           \
    X(getDiagnostic)                                                                               \
    X(disposeDiagnostic)                                                                           \
    X(getDiagnosticSeverity)                                                                       \
    X(getDiagnosticSpelling)                                                                       \
    X(getDiagnosticLocation)                                                                       \
    X(getTranslationUnitCursor)                                                                    \
    X(visitChildren)                                                                               \
    X(getCursorKind)                                                                               \
    X(getCursorLocation)                                                                           \
    X(getCursorExtent)                                                                             \
    X(getCursorSpelling)                                                                           \
    X(getCursorSemanticParent)                                                                     \
    X(getRangeStart)                                                                               \
    X(getRangeEnd)                                                                                 \
    X(getFileLocation)                                                                             \
    X(getPresumedLocation)                                                                         \
    X(Location_isFromMainFile)                                                                     \
    X(isCursorDefinition)                                                                          \
    X(isExpression)                                                                                \
    X(isStatement)                                                                                 \
    X(getCString)                                                                                  \
    X(disposeString)

struct fth_clang {
#define FTH_CLANG_MEMBER(name) __typeof__(clang_##name) *name;
    FTH_CLANG_FUNCTIONS(FTH_CLANG_MEMBER)
#undef FTH_CLANG_MEMBER
};
extern struct fth_clang fth_clang;

/* Once, before any of them is called. -1: *error says how to get the library. */
int fth_clang_load(struct fth_error **error);

#endif
