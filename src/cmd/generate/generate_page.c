/* A page of `fathom generate`: rows of the template and of the program side by side, those of hints
 * marked. The form below writes hints in the browser; nothing is loaded and nothing sent. */
#include "cmd/generate/generate_page.h"

#include <string.h>

/* clang-format off: lines of the page */
static const char style[] =
    "body { font: 15px/1.4 system-ui, sans-serif; margin: 1em; color: #222; background: #fff }\n"
    "table.code { border-collapse: collapse; width: 100%; table-layout: fixed }\n"
    "table.code td, table.code th { vertical-align: top; text-align: left; padding: 0 .6em; "
    "border-left: 1px solid #ccc }\n"
    "pre { font: 12px/1.35 monospace; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }\n"
    "tr.generated { background: #e8f1fb }\n"
    "textarea { width: 100%; font: 12px/1.35 monospace; display: block }\n"
    "#wrong { color: #a00 }\n"
    "@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } tr.generated "
    "{ background: #1d2c3d } #wrong { color: #f99 } }\n";

static const char form[] =
    "<details id=\"form\"><summary>Write hints with a form</summary>\n"
    "<p>For those who do not want to learn the language: what is filled in here becomes hints "
    "below, to be put into the template. "
    "In C the slowest dimension comes first and starts are from 0; in Fortran the fastest comes "
    "first, and they are from 1.</p>\n"
    "<p><label>Library <select id=\"library\"><option>posix<option>mpiio<option>pnetcdf<option "
    "selected>hdf5<option>netcdf4</select></label>\n"
    "<label>File <input id=\"file\" value=\"out.h5\"></label>\n"
    "<label>Processes <input id=\"processes\" size=\"4\" value=\"4\"></label></p>\n"
    "<p><label>Array <input id=\"name\" value=\"temperature\"></label>\n"
    "<label>Type <select "
    "id=\"type\"><option>double<option>float<option>int<option>long<option>short<option>byte<"
    "option>char</select></label>\n"
    "<label>Unit <input id=\"unit\" size=\"8\" value=\"K\"></label>\n"
    "<label>Access <select id=\"access\"><option>write<option>read</select></label>\n"
    "<label>Buffer <input id=\"buffer\" value=\"buffer\"></label></p>\n"
    "<table id=\"dimensions\"><thead><tr><th>Dimension</th><th>Length</th><th>Start of a "
    "process</th><th>Count of a process</th></tr></thead><tbody></tbody></table>\n"
    "<p><button id=\"more\">One more dimension</button> <button id=\"less\">One less</button></p>\n"
    "<p id=\"wrong\" role=\"alert\"></p>\n"
    "<label>Hints <textarea id=\"hints\" rows=\"18\" readonly></textarea></label>\n"
    "</details>\n";

static const char script[] =
    "const by = id => document.getElementById(id);\n"
    "const rows = by(\"dimensions\").tBodies[0];\n"
    "const isName = text => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text);\n"
    "function addRow(values) {\n"
    "  const row = rows.insertRow();\n"
    "  for (const [i, value] of values.entries()) {\n"
    "    const input = document.createElement(\"input\");\n"
    "    input.value = value;\n"
    "    input.ariaLabel = [\"dimension\", \"length\", \"start\", \"count\"][i];\n"
    "    input.addEventListener(\"input\", write);\n"
    "    row.insertCell().append(input);\n"
    "  }\n"
    "}\n"
    "function mistake(dimensions) {\n"
    "  for (const name of [by(\"name\").value, ...dimensions.map(row => row[0])]) {\n"
    "    if (!isName(name)) return \"A name has letters, digits and _ only, and begins with no "
    "digit: '\" + name + \"'.\";\n"
    "    if (/^io/i.test(name)) return \"Names that begin with io belong to what is generated: '\" "
    "+ name + \"'.\";\n"
    "  }\n"
    "  if (new Set(dimensions.map(row => row[0])).size < dimensions.length) return \"Two "
    "dimensions have the same name.\";\n"
    "  if (!/^[1-9][0-9]*$/.test(by(\"processes\").value)) return \"The number of processes is at "
    "least 1.\";\n"
    "  const texts = [...dimensions.flat(), by(\"buffer\").value, by(\"file\").value];\n"
    "  if (texts.some(text => !text.trim() || /[;#\\n\"]/.test(text))) return \"A field is empty, "
    "or has one of ; # and quotes.\";\n"
    "  if (/[\"\\\\]/.test(by(\"unit\").value + by(\"file\").value)) return \"The unit or the file "
    "has a "
    "quote or a backslash.\";\n"
    "  return \"\";\n"
    "}\n"
    "function write() {\n"
    "  const dimensions = [...rows.rows].map(row => [...row.querySelectorAll(\"input\")].map(input "
    "=> input.value.trim()));\n"
    "  const wrong = mistake(dimensions), name = by(\"name\").value, access = "
    "by(\"access\").value;\n"
    "  const set = (kind, lines) => [\"#begin_\" + kind, ...lines, \"#end_\" + kind];\n"
    "  by(\"wrong\").textContent = wrong;\n"
    "  const parts = dimensions.map(row => row[2] + \", \" + row[3]).join(\", \");\n"
    "  by(\"hints\").value = wrong ? \"\" : [\n"
    "    ...set(\"options\", [\"library: \" + by(\"library\").value + \";\", 'file: \"' + "
    "by(\"file\").value + '\";', ...(access === \"read\" ? [\"mode: read;\"] : []),\n"
    "      \"processes: \" + by(\"processes\").value + \";\"]),\n"
    "    ...set(\"dimensions\", dimensions.map(row => row[0] + \": \" + row[1] + \";\")),\n"
    "    ...set(\"variables\", [name + \": \" + by(\"type\").value + \", \" + dimensions.length + "
    "\", \" + dimensions.map(row => row[0]).join(\", \") + \";\"]),\n"
    "    ...(by(\"unit\").value && access === \"write\" ? set(\"attributes\", [\"unit: \" + name + "
    "', char, \"' + by(\"unit\").value + '\";']) : []),\n"
    "    ...set(access, [\"array: rank, \" + name + \", \" + parts + \", \" + by(\"buffer\").value "
    "+ \";\"]),\n"
    "  ].join(\"\\n\") + \"\\n\";\n"
    "}\n"
    "addRow([\"y\", \"100\", \"rank * 25\", \"25\"]);\n"
    "addRow([\"x\", \"100\", \"0\", \"100\"]);\n"
    "by(\"more\").addEventListener(\"click\", () => { addRow([\"d\" + rows.rows.length, \"10\", "
    "\"0\", \"10\"]); write(); });\n"
    "by(\"less\").addEventListener(\"click\", () => { if (rows.rows.length > 1) "
    "rows.deleteRow(-1); write(); });\n"
    "for (const field of document.querySelectorAll(\"#form > p input, #form > p select\")) "
    "field.addEventListener(\"input\", write);\n"
    "write();\n"
    "document.documentElement.dataset.ready = \"1\";\n";
/* clang-format on */

static void put_escaped(struct fth_sink *sink, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '&')
            fth_sink_text(sink, "&amp;");
        else if (byte == '<')
            fth_sink_text(sink, "&lt;");
        else if (byte == '>')
            fth_sink_text(sink, "&gt;");
        else if (byte >= ' ' || byte == '\n' || byte == '\t')
            fth_sink_char(sink, text[i]);
    }
}

static void put_row(struct fth_sink *sink, const char *kind, const char *left, size_t left_length,
                    const char *right, size_t right_length)
{
    if (!left_length && !right_length)
        return;
    fth_sink_text(sink, "<tr class=\"");
    fth_sink_text(sink, kind);
    /* A line break behind <pre> is not shown, so that one is put for it. */
    fth_sink_text(sink, "\"><td><pre>\n");
    put_escaped(sink, left, left_length);
    fth_sink_text(sink, "</pre></td><td><pre>\n");
    put_escaped(sink, right, right_length);
    fth_sink_text(sink, "</pre></td></tr>\n");
}

static void put_choices(struct fth_sink *sink, const struct fth_gen_program *program)
{
    fth_sink_text(sink, "<h2>How accesses are made</h2>\n<ul>\n");
    for (size_t i = 0; i < program->explained_count; i++) {
        const struct fth_gen_explained *of = &program->explained[i];
        fth_sink_text(sink, "<li>Line ");
        fth_sink_unsigned(sink, of->line);
        fth_sink_text(sink, of->writes ? ", write of " : ", read of ");
        put_escaped(sink, of->variable, strlen(of->variable));
        fth_sink_text(sink, ": ");
        put_escaped(sink, of->reason, strlen(of->reason));
        fth_sink_text(sink, "</li>\n");
    }
    fth_sink_text(sink, "</ul>\n");
}

void fth_cmd_generate_page(struct fth_sink *sink, const char *path, const char *template,
                           size_t length, const struct fth_gen_program *program)
{
    size_t left = 0, right = 0;
    fth_sink_text(sink,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    put_escaped(sink, path, strlen(path));
    fth_sink_text(sink, "</title>\n<style>\n");
    fth_sink_text(sink, style);
    fth_sink_text(sink, "</style>\n</head>\n<body>\n<h1>");
    put_escaped(sink, path, strlen(path));
    fth_sink_text(sink, "</h1>\n");
    fth_sink_text(sink, form);
    put_choices(sink, program);
    fth_sink_text(sink, "<table class=\"code\">\n<tr><th>Template</th><th>Program</th></tr>\n");
    for (size_t i = 0; i < program->part_count; i++) {
        const struct fth_gen_part *part = &program->parts[i];
        put_row(sink, "same", template + left, part->template_begin - left, program->text + right,
                part->begin - right);
        put_row(sink, "generated", template + part->template_begin,
                part->template_end - part->template_begin, program->text + part->begin,
                part->end - part->begin);
        left = part->template_end;
        right = part->end;
    }
    put_row(sink, "same", template + left, length - left, program->text + right,
            program->length - right);
    fth_sink_text(sink, "</table>\n<script>\n");
    fth_sink_text(sink, script);
    fth_sink_text(sink, "</script>\n</body>\n</html>\n");
}
