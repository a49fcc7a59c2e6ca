/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work that is done whole or not at all.
 *
 * A child process writes a file of a unique temporary name beside the target,
 * of which it gets the descriptor: what others put in the place of that name is
 * neither written to nor becomes the target. When the child says that all is
 * well the file gets the target's mode, or that of a new file, and its name;
 * until then only its user can read it. Where the child fails, crashes or is
 * interrupted by SIGINT, SIGTERM, SIGHUP or SIGQUIT, the file goes and what the
 * target was stays. What libraries write to the child's standard error is kept,
 * and its last line shown where the child crashes; with GST_DEBUG set it is
 * shown as it comes. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/* In the child. Writes the file of the descriptor @part, which it can read,
 * too. What it has to say goes to @terminal, also why it failed; TRUE if @part
 * is complete. */
typedef gboolean (*SupervisorWork) (gint part, FILE * terminal,
    gpointer user_data);

/* To be called once, before there is any other thread. @program begins each
 * line, and @name is what the user calls @target, which is no link. Returns the
 * exit status of the program. */
int supervisor_run (const gchar * program, const gchar * target,
    const gchar * name, SupervisorWork work, gpointer user_data);

G_END_DECLS
