/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocluserexpander.h"

#include <string.h>

#include "core/oclerror.h"
#include "core/ocltext.h"

/* Some work-items do not run the function, and some drivers run it in a loop
 * inside one work-item: a barrier would corrupt memory. Names that begin with
 * _cl_ are PoCL's names of the same functions. */
#define FORBIDDEN "^(?:(?:_cl_)?(?:barrier|printf|wait_group_events|" \
    "(?:(?:intel_)?sub_group|(?:async_)?work_group)_\\w+)|(?:__)?asm(?:__)?)$"

/* Macros in arguments of macros in arguments ... */
#define MAX_DEPTH 100

/* Maximum number of created tokens, including tokens expanded again. */
#define MAX_WORK (8 * OCL_USER_MAX_TOKENS)

typedef struct
{
  const gchar *text;            /* in the chunk; "" where ## has no operand */
  guint line;
  gboolean starts_line;
  gboolean follows_space;
  gboolean is_final;            /* a macro inside its own expansion */
} Token;

/* One of the definitions of a macro. */
typedef struct
{
  GPtrArray *params;            /* names, NULL if it has no parameters */
  GArray *body;                 /* of Token */
} Definition;

typedef struct
{
  GPtrArray *definitions;       /* of Definition */
  gboolean is_active;           /* whether its expansion is being read */
} Macro;

/* Input tokens: the text, an argument, or the expansion of a macro. */
typedef struct
{
  GArray *tokens;               /* owned */
  guint place;                  /* of the next token */
  Macro *macro;                 /* NULL if it is not an expansion */
} Source;

typedef struct
{
  const gchar *name;            /* of the text */
  GStringChunk *chunk;
  GHashTable *macros;           /* Macro by name */
  GRegex *forbidden;
  guint n_conditionals;         /* that are open */
  guint n_made;
  guint depth;
  GError *error;                /* ends the expansion */
} Expander;

static void expander_expand (Expander * self, GArray * tokens,
    gboolean is_text, GArray * result);

static void
definition_free (gpointer data)
{
  Definition *self = data;

  g_clear_pointer (&self->params, g_ptr_array_unref);
  g_array_unref (self->body);
  g_free (self);
}

static void
macro_free (gpointer data)
{
  Macro *self = data;

  g_ptr_array_unref (self->definitions);
  g_free (self);
}

static void
source_clear (gpointer data)
{
  g_array_unref (((Source *) data)->tokens);
}

static GArray *
create_tokens (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Token));
}

static void
expander_fail (Expander * self, guint line, const gchar * problem)
{
  if (!self->error)
    self->error = g_error_new (OCL_ERROR, OCL_ERROR_SETTINGS, "%s:%u: %s",
        self->name, line, problem);
}

/* Appends @token, unless there are too many. */
static void
expander_put (Expander * self, GArray * tokens, Token token)
{
  if (++self->n_made > MAX_WORK || tokens->len >= OCL_USER_MAX_TOKENS)
    expander_fail (self, token.line, "With its macros expanded, the text is "
        "longer than 131072 words and signs. Use functions instead of macros "
        "in macros.");
  else
    g_array_append_val (tokens, token);
}

static gboolean
is_word (const gchar * text)
{
  return g_ascii_isalnum (*text) || *text == '_' || *text & 0x80;
}

/* Returns the end of the token at @text. */
static const gchar *
find_end (const gchar * text)
{
  const gchar *end = text + 1;

  if (is_word (text)) {
    while (is_word (end))
      end++;
  } else if (*text == '"' || *text == '\'') {
    while (*end && *end != '\n' && *end != *text)
      end += *end == '\\' && end[1] && end[1] != '\n' ? 2 : 1;
    end += *end == *text;
  } else if (g_str_has_prefix (text, "##") || g_str_has_prefix (text, "%:")) {
    end = g_str_has_prefix (text, "%:%:") ? text + 4 : text + 2;
  } else if (g_str_has_prefix (text, "...")) {
    end = text + 3;
  }
  return end;
}

/* Joins lines that end with a backslash. Moves their line breaks after the last
 * of them, so that later lines keep their numbers. */
static gchar *
join_lines (const gchar * text)
{
  GString *joined = g_string_sized_new (strlen (text));
  guint n_breaks = 0;

  for (const gchar * c = text; *c; c++) {
    const gchar *next = c + 1 + (*c == '\\' && c[1] == '\r');

    if (*c == '\\' && *next == '\n') {
      n_breaks++;
      c = next;
      continue;
    }
    g_string_append_c (joined, *c);
    for (; *c == '\n' && n_breaks > 0; n_breaks--)
      g_string_append_c (joined, '\n');
  }
  return g_string_free (joined, FALSE);
}

/* Returns the tokens of @text, which the caller owns. */
static GArray *
expander_tokenize (Expander * self, const gchar * text)
{
  g_autofree gchar *joined = join_lines (text);
  GArray *tokens = create_tokens ();
  Token token = {.line = 1,.starts_line = TRUE };

  if (strstr (text, "?\?/") || strstr (text, "?\?="))
    expander_fail (self, 1,
        "Drivers read the trigraphs ?\?/ and ?\?= as \\ and "
        "#. Write something else.");
  for (const gchar * c = joined, *end; *c && !self->error; c = end) {
    end = c + 1;
    token.follows_space |= g_ascii_isspace (*c) || (*c == '/' && (*end == '/'
            || *end == '*'));
    if (*c == '\n') {
      token.line++;
      token.starts_line = TRUE;
    } else if (*c == '/' && *end == '/') {
      end = c + strcspn (c, "\n");
    } else if (*c == '/' && *end == '*') {
      end = strstr (c + 2, "*/");
      if (!end) {
        expander_fail (self, token.line, "The comment does not end: */ is "
            "missing.");
        break;
      }
      for (end += 2; c < end; c++)
        token.line += *c == '\n';
    } else if (!g_ascii_isspace (*c)) {
      end = find_end (c);
      g_autofree gchar *word = g_strndup (c, end - c);
      token.text = g_str_has_prefix (word, "%:")
          ? (word[2] ? "##" : "#") : g_string_chunk_insert_const (self->chunk,
          word);
      expander_put (self, tokens, token);
      token.starts_line = FALSE;
      token.follows_space = FALSE;
    }
  }
  return tokens;
}

static gboolean
token_is (const Token * token, const gchar * text)
{
  return g_str_equal (token->text, text);
}

static Macro *
expander_ensure_macro (Expander * self, const gchar * name)
{
  Macro *macro = g_hash_table_lookup (self->macros, name);

  if (!macro) {
    macro = g_new0 (Macro, 1);
    macro->definitions = g_ptr_array_new_with_free_func (definition_free);
    g_hash_table_insert (self->macros, (gpointer) name, macro);
  }
  /* Inside conditional directives, the earlier definition may apply. The
   * definition of an expansion that is being read is in use. */
  if (self->n_conditionals == 0 && !macro->is_active)
    g_ptr_array_set_size (macro->definitions, 0);
  return macro;
}

/* Defines the macro of the @n @tokens: a name, parameters and a body. */
static void
expander_define (Expander * self, const Token * tokens, guint n)
{
  Macro *macro = expander_ensure_macro (self, tokens[0].text);
  Definition *definition = g_new0 (Definition, 1);
  guint i = 1;

  if (n > 1 && token_is (&tokens[1], "(") && !tokens[1].follows_space) {
    definition->params = g_ptr_array_new ();
    for (i = 2; i < n && !token_is (&tokens[i], ")"); i++) {
      if (is_word (tokens[i].text))
        g_ptr_array_add (definition->params, (gpointer) tokens[i].text);
      else if (token_is (&tokens[i], "...") && !is_word (tokens[i - 1].text))
        g_ptr_array_add (definition->params, (gpointer) "__VA_ARGS__");
    }
    i++;
  }
  definition->body = create_tokens ();
  for (; i < n; i++)
    expander_put (self, definition->body, tokens[i]);
  g_ptr_array_add (macro->definitions, definition);
}

/* Reads the directive at the position of @source, after its #. */
static void
expander_read_directive (Expander * self, Source * source)
{
  static const gchar *const refused[] = {
    "include", "include_next", "import", "embed", "line", NULL
  };
  const Token *all = (const Token *) source->tokens->data;
  const Token *tokens = &all[source->place];
  guint n = 0;

  while (source->place < source->tokens->len && !all[source->place].starts_line) {
    source->place++;
    n++;
  }
  if (n == 0)
    return;
  if (g_strv_contains (refused, tokens[0].text)
      || g_ascii_isdigit (*tokens[0].text)) {
    g_autofree gchar *problem = g_strdup_printf ("A kernel cannot have the "
        "directive #%s: it is one text, with line numbers of its file. Copy "
        "what it needs into it.", tokens[0].text);
    expander_fail (self, tokens[0].line, problem);
  } else if (g_str_has_prefix (tokens[0].text, "if")) {
    self->n_conditionals++;
  } else if (self->n_conditionals == 0 && (token_is (&tokens[0], "endif")
          || g_str_has_prefix (tokens[0].text, "el"))) {
    expander_fail (self, tokens[0].line, "There is no #if before this "
        "directive.");
  } else if (token_is (&tokens[0], "endif")) {
    self->n_conditionals--;
  } else if (n > 1 && token_is (&tokens[0], "undef")) {
    expander_ensure_macro (self, tokens[1].text);
  } else if (n > 1 && token_is (&tokens[0], "define")) {
    expander_define (self, &tokens[1], n - 1);
  }
}

/* Removes the next token of the last of @sources that is not at its end. The
 * first of them has directives if @is_text is set. */
static gboolean
expander_next (Expander * self, GArray * sources, gboolean is_text,
    Token * token)
{
  while (!self->error) {
    Source *source = &g_array_index (sources, Source, sources->len - 1);

    if (source->place < source->tokens->len) {
      *token = g_array_index (source->tokens, Token, source->place++);
      if (!(is_text && sources->len == 1 && token->starts_line
              && token_is (token, "#")))
        return TRUE;
      expander_read_directive (self, source);
    } else if (sources->len == 1) {
      return FALSE;
    } else {
      if (source->macro)
        source->macro->is_active = FALSE;
      g_array_set_size (sources, sources->len - 1);
    }
  }
  return FALSE;
}

/* Returns the arguments after a macro's name as arrays of tokens (owned by the
 * caller), or NULL if no parenthesis follows. */
static GPtrArray *
expander_read_arguments (Expander * self, GArray * sources, gboolean is_text)
{
  GPtrArray *arguments = NULL;
  guint depth = 0;
  Token token;

  while (expander_next (self, sources, is_text, &token)) {
    const gboolean opens = token_is (&token, "(");

    if (!arguments && !opens) {
      /* Put it back. A directive may have been read before it. */
      g_array_index (sources, Source, sources->len - 1).place--;
      return NULL;
    }
    depth += opens;
    depth -= token_is (&token, ")");
    if (depth == 0)
      return arguments;
    if (!arguments)
      arguments =
          g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
    if (arguments->len == 0 || (depth == 1 && token_is (&token, ",")))
      g_ptr_array_add (arguments, create_tokens ());
    if ((depth == 1 && opens) || (depth == 1 && token_is (&token, ",")))
      continue;
    expander_put (self, arguments->pdata[arguments->len - 1], token);
  }
  return arguments;
}

/* Appends the tokens of @more to @result. Joins the first of them to the last
 * token of @result if @joins is set and both are words. */
static void
expander_append (Expander * self, GArray * result, const GArray * more,
    gboolean joins)
{
  for (guint i = 0; i < more->len && !self->error; i++) {
    Token token = g_array_index (more, Token, i);
    Token *last = result->len == 0 ? NULL
        : &g_array_index (result, Token, result->len - 1);

    if (i == 0 && joins && last && (*last->text == '\0' || *token.text == '\0'
            || (is_word (last->text) && is_word (token.text)))) {
      g_autofree gchar *word = g_strconcat (last->text, token.text, NULL);

      last->text = g_string_chunk_insert_const (self->chunk, word);
      last->is_final = FALSE;
      self->n_made += 1 + strlen (word) / 8;
    } else {
      expander_put (self, result, token);
    }
  }
}

/* Returns the value of parameter @n of a definition with @n_params: an argument
 * or, for the last one of a variadic macro, the other arguments. */
static GArray *
expander_get_argument (Expander * self, const GPtrArray * arguments, guint n,
    guint n_params)
{
  GArray *result = create_tokens ();

  for (guint i = n; i < arguments->len && (i == n || n + 1 == n_params); i++) {
    const Token comma = {.text = "," };

    if (i > n)
      expander_put (self, result, comma);
    expander_append (self, result, arguments->pdata[i], FALSE);
  }
  return result;
}

/* Appends the body of @definition to @result, with its parameters replaced by
 * @arguments, or by their expansions in @expanded. */
static void
expander_substitute (Expander * self, const Definition * definition,
    const GPtrArray * arguments, const GPtrArray * expanded, GArray * result)
{
  const Token *body = (const Token *) definition->body->data;
  const guint n = definition->body->len;
  const guint n_params = definition->params ? definition->params->len : 0;
  gboolean joins = FALSE;

  for (guint i = 0; i < n && !self->error; i++) {
    const gboolean is_operand = joins
        || (i + 1 < n && token_is (&body[i + 1], "##"));
    const gboolean is_string = definition->params && token_is (&body[i], "#");
    const Token empty = {.text = is_string ? "\"\"" : "",.line = body[i].line };
    g_autoptr (GArray) part = NULL;
    guint param = 0;

    if (token_is (&body[i], "##")) {
      joins = TRUE;
      continue;
    }
    while (param < n_params
        && !token_is (&body[i], definition->params->pdata[param]))
      param++;
    if (param < n_params)
      part = expander_get_argument (self, is_operand ? arguments : expanded,
          param, n_params);
    else
      part = create_tokens ();
    if (param == n_params && !is_string)
      expander_put (self, part, body[i]);
    else if (is_string || (part->len == 0 && is_operand))
      expander_put (self, part, empty);
    i += is_string;
    expander_append (self, result, part, joins);
    joins = FALSE;
  }
}

/* Begins to read the expansion of @macro, whose name has been read. Returns
 * FALSE if it needs arguments and none follow. */
static gboolean
expander_begin_macro (Expander * self, Macro * macro, GArray * sources,
    gboolean is_text)
{
  Source source = {.macro = macro };
  g_autoptr (GPtrArray) arguments = NULL;
  g_autoptr (GPtrArray) expanded =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  gboolean takes = FALSE;
  gboolean is_plain = FALSE;

  for (guint i = 0; i < macro->definitions->len; i++) {
    const Definition *definition = macro->definitions->pdata[i];

    takes |= definition->params != NULL;
    is_plain |= definition->params == NULL;
  }
  if (takes)
    arguments = expander_read_arguments (self, sources, is_text);
  if (!arguments && !is_plain)
    return FALSE;
  for (guint i = 0; arguments && i < arguments->len && !self->error; i++) {
    GArray *tokens = create_tokens ();

    expander_expand (self, g_array_ref (arguments->pdata[i]), FALSE, tokens);
    g_ptr_array_add (expanded, tokens);
  }
  source.tokens = create_tokens ();
  for (guint i = 0; i < macro->definitions->len && !self->error; i++) {
    const Definition *definition = macro->definitions->pdata[i];

    if (!definition->params || arguments)
      expander_substitute (self, definition, arguments, expanded,
          source.tokens);
  }
  macro->is_active = TRUE;
  g_array_append_val (sources, source);
  return TRUE;
}

/* Appends the expansion of @tokens to @result. Takes ownership of @tokens. */
static void
expander_expand (Expander * self, GArray * tokens, gboolean is_text,
    GArray * result)
{
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (Source));
  Source first = {.tokens = tokens };
  Token token;

  g_array_set_clear_func (sources, source_clear);
  g_array_append_val (sources, first);
  if (++self->depth > MAX_DEPTH)
    expander_fail (self, 1, "Macros are nested too deeply.");
  while (expander_next (self, sources, is_text, &token)) {
    Macro *macro = token.is_final ? NULL
        : g_hash_table_lookup (self->macros, token.text);

    if (*token.text == '\0')
      continue;
    token.is_final |= macro && macro->is_active;
    if (token.is_final || !macro || macro->definitions->len == 0
        || !expander_begin_macro (self, macro, sources, is_text))
      expander_put (self, result, token);
  }
  self->depth--;
}

/* Returns @tokens as text, or NULL if one of them is forbidden. */
static gchar *
expander_print (Expander * self, const GArray * tokens)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < tokens->len && !self->error; i++) {
    const Token *token = &g_array_index (tokens, Token, i);

    if (is_word (token->text)
        && g_regex_match (self->forbidden, token->text, 0, NULL)) {
      g_autofree gchar *problem = g_strdup_printf ("A kernel cannot use %s: it "
          "computes one pixel, without work-group functions, assembler and "
          "printf.", token->text);
      expander_fail (self, token->line, problem);
    }
    g_string_append_printf (text, "%s ", token->text);
  }
  return g_string_free (text, self->error != NULL);
}

gchar *
ocl_user_expand (const gchar * name, const gchar * text, GHashTable * macros,
    GError ** error)
{
  Expander self = {.name = name,.chunk = g_string_chunk_new (4096) };
  g_autoptr (GArray) result = create_tokens ();
  GHashTableIter iter;
  gpointer key;
  gchar *printed = NULL;

  self.macros = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
      macro_free);
  self.forbidden = g_regex_new (FORBIDDEN, G_REGEX_OPTIMIZE, 0, NULL);
  expander_expand (&self, expander_tokenize (&self, text), TRUE, result);
  if (self.n_conditionals > 0)
    expander_fail (&self, 1, "There is an #if without #endif.");
  printed = expander_print (&self, result);
  g_hash_table_iter_init (&iter, self.macros);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (macros, g_strdup (key));
  g_regex_unref (self.forbidden);
  g_hash_table_unref (self.macros);
  g_string_chunk_free (self.chunk);
  if (self.error)
    g_propagate_error (error, self.error);
  return printed;
}
