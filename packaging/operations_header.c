/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints drua/operations.h: a C function with typed parameters for each operation of the registry. */
#include "registry.h"

#include <stdio.h>
#include <string.h>

/* Some parameters have names that C++ reserves. */
static const char *const keywords[] = {"class", "delete", "export", "new",   "operator", "private",
                                       "this",  "template", "throw", "typename", "union", "using"};

static const char *suffix_of_keyword(const char *name)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (!strcmp(name, keywords[i]))
            return "_";
    return "";
}

/* Prints a text without the star and slash that would end the comment. */
static void print_comment_text(const char *text)
{
    for (; *text; text++)
        if (text[0] == '*' && text[1] == '/')
            fputs("*\\", stdout);
        else
            putchar(*text);
}

static void print_comment(const drua_op *op)
{
    printf("/**\n * ");
    print_comment_text(op->summary);
    putchar('\n');
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_param *p = &op->params[i];
        printf(" * %s%s: ", p->name, suffix_of_keyword(p->name));
        print_comment_text(p->doc);
        if (p->unit)
            printf(" (%s)", p->unit);
        if (p->has_range)
            printf(", %.17g to %.17g", p->minimum, p->maximum);
        if (p->choices) {
            printf(": ");
            for (const char *const *choice = p->choices; *choice; choice++)
                printf("%s%s", choice == p->choices ? "" : ", ", *choice);
        }
        putchar('\n');
    }
    printf(" */\n");
}

static void print_parameter(const drua_param *p)
{
    const char *name = p->name, *suffix = suffix_of_keyword(p->name);
    switch (p->kind) {
    case DRUA_KIND_IMAGE_IN:
    case DRUA_KIND_IMAGE_INOUT:
        printf("drua_image %s%s", name, suffix);
        break;
    case DRUA_KIND_IMAGE_OUT:
        printf("drua_image *%s%s", name, suffix);
        break;
    case DRUA_KIND_NUMBER:
        printf("double %s%s", name, suffix);
        break;
    case DRUA_KIND_INTEGER:
        printf("int64_t %s%s", name, suffix);
        break;
    case DRUA_KIND_BOOLEAN:
        printf("int %s%s", name, suffix);
        break;
    case DRUA_KIND_CHOICE:
    case DRUA_KIND_TEXT:
    case DRUA_KIND_OPTIONS:
    case DRUA_KIND_PATH:
        printf("const char *%s%s", name, suffix);
        break;
    case DRUA_KIND_ARRAY_IN:
        printf("const double *%s%s, size_t %s_length", name, suffix, name);
        break;
    case DRUA_KIND_IMAGES:
        printf("const drua_argument *%s%s, size_t %s_length", name, suffix, name);
        break;
    case DRUA_KIND_NUMBER_OUT:
        printf("double *%s%s", name, suffix);
        break;
    case DRUA_KIND_TEXT_OUT:
        printf("const char **%s%s", name, suffix);
        break;
    case DRUA_KIND_TABLE_OUT:
        printf("drua_table **%s%s", name, suffix);
        break;
    }
}

/* Prints the call that makes a drua_argument from a parameter. */
static void print_argument(const drua_param *p)
{
    const char *name = p->name, *suffix = suffix_of_keyword(p->name);
    switch (p->kind) {
    case DRUA_KIND_IMAGE_IN:
    case DRUA_KIND_IMAGE_INOUT:
        printf("drua_from_image(%s%s)", name, suffix);
        break;
    case DRUA_KIND_IMAGE_OUT:
        printf("drua_from_destination(%s%s)", name, suffix);
        break;
    case DRUA_KIND_NUMBER:
        printf("drua_from_number(%s%s)", name, suffix);
        break;
    case DRUA_KIND_INTEGER:
    case DRUA_KIND_BOOLEAN:
        printf("drua_from_number((double)%s%s)", name, suffix);
        break;
    case DRUA_KIND_CHOICE:
    case DRUA_KIND_TEXT:
    case DRUA_KIND_OPTIONS:
    case DRUA_KIND_PATH:
        printf("drua_from_text(%s%s)", name, suffix);
        break;
    case DRUA_KIND_ARRAY_IN:
        printf("drua_from_array(%s%s, %s_length)", name, suffix, name);
        break;
    case DRUA_KIND_IMAGES:
        printf("drua_from_list(%s%s, %s_length)", name, suffix, name);
        break;
    case DRUA_KIND_NUMBER_OUT:
    case DRUA_KIND_TEXT_OUT:
        printf("drua_from_nothing()");
        break;
    case DRUA_KIND_TABLE_OUT:
        break;
    }
}

/* Prints the arguments without the table, for which drua_invoke has a separate parameter. Returns their number. */
static size_t print_arguments(const drua_op *op)
{
    size_t count = 0;
    printf("    drua_argument arguments[] = {");
    for (size_t i = 0; i < op->param_count; i++)
        if (op->params[i].kind != DRUA_KIND_TABLE_OUT) {
            printf("%s\n        ", count++ ? "," : "");
            print_argument(&op->params[i]);
        }
    printf("%s};\n", count ? "" : "drua_from_nothing()");
    return count;
}

/* Prints the lines that pass outputs to the caller. */
static void print_results(const drua_op *op)
{
    size_t place = 0;
    for (size_t i = 0; i < op->param_count; i++) {
        const drua_param *p = &op->params[i];
        const char *member = NULL, *suffix = suffix_of_keyword(p->name);
        if (p->kind == DRUA_KIND_IMAGE_OUT)
            member = "image";
        else if (p->kind == DRUA_KIND_NUMBER_OUT)
            member = "number";
        else if (p->kind == DRUA_KIND_TEXT_OUT)
            member = "text";
        if (member)
            printf("    if (status == DRUA_OK && %s%s)\n        *%s%s = arguments[%zu].%s;\n", p->name, suffix,
                   p->name, suffix, place, member);
        place += p->kind != DRUA_KIND_TABLE_OUT;
    }
}

static void print_function(const drua_op *op)
{
    const char *table = "NULL", *suffix = "";
    print_comment(op);
    printf("static inline drua_status drua_%s(drua_context *context", op->name);
    for (size_t i = 0; i < op->param_count; i++) {
        printf(", ");
        print_parameter(&op->params[i]);
        if (op->params[i].kind == DRUA_KIND_TABLE_OUT) {
            table = op->params[i].name;
            suffix = suffix_of_keyword(table);
        }
    }
    printf(")\n{\n");
    const size_t count = print_arguments(op);
    printf("    const drua_status status = drua_invoke(context, \"%s\", arguments, %zu, %s%s);\n", op->name, count,
           table, suffix);
    print_results(op);
    printf("    return status;\n}\n\n");
}

int main(void)
{
    printf("/* SPDX-License-Identifier: BSD-3-Clause */\n"
           "/*\n"
           " * Operations as functions with typed parameters. Each calls drua_invoke, whose rules hold here too.\n"
           " * If a destination points to 0, the image is created and belongs to the caller. Otherwise the image to\n"
           " * which it points is overwritten and keeps its shape and type. Pass NULL for a result that you do not\n"
           " * need. A text is valid until the thread's next call; a table is freed by drua_table_free.\n"
           " */\n"
           "#ifndef DRUA_OPERATIONS_H\n#define DRUA_OPERATIONS_H\n\n#include <drua/drua.h>\n\n"
           "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
           "static inline drua_argument drua_from_nothing(void)\n{\n"
           "    drua_argument made = {DRUA_ARG_NONE, 0, NULL, 0, NULL, NULL, 0};\n    return made;\n}\n\n"
           "static inline drua_argument drua_from_image(drua_image image)\n{\n"
           "    drua_argument made = drua_from_nothing();\n    made.kind = DRUA_ARG_IMAGE;\n"
           "    made.image = image;\n    return made;\n}\n\n"
           "static inline drua_argument drua_from_destination(const drua_image *image)\n{\n"
           "    return image && *image ? drua_from_image(*image) : drua_from_nothing();\n}\n\n"
           "static inline drua_argument drua_from_number(double number)\n{\n"
           "    drua_argument made = drua_from_nothing();\n    made.kind = DRUA_ARG_NUMBER;\n"
           "    made.number = number;\n    return made;\n}\n\n"
           "static inline drua_argument drua_from_text(const char *text)\n{\n"
           "    drua_argument made = drua_from_nothing();\n    made.kind = DRUA_ARG_TEXT;\n"
           "    made.text = text;\n    return made;\n}\n\n"
           "static inline drua_argument drua_from_array(const double *array, size_t length)\n{\n"
           "    drua_argument made = drua_from_nothing();\n    made.kind = DRUA_ARG_ARRAY;\n"
           "    made.array = array;\n    made.length = length;\n    return made;\n}\n\n"
           "static inline drua_argument drua_from_list(const drua_argument *list, size_t length)\n{\n"
           "    drua_argument made = drua_from_nothing();\n    made.kind = DRUA_ARG_LIST;\n"
           "    made.list = list;\n    made.length = length;\n    return made;\n}\n\n");
    for (const drua_op *const *op = drua_op_table; *op; op++)
        if (!((*op)->traits & DRUA_HOST))
            print_function(*op);
    printf("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
