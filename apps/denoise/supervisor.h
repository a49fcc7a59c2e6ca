/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs work that completes fully or leaves no output.
 * A child process writes a file with a unique temporary name in the folder of
 * the target. The child gets the descriptor of this file, so a replacement
 * under this name is neither written to nor becomes the target. When the child
 * reports success, the file gets the mode of the target (or the mode of a new
 * file) and its name. Until then only its user can read the file. If the child
 * fails, crashes or is interrupted by SIGINT, SIGTERM, SIGHUP or SIGQUIT, the
 * file is deleted and an existing target stays unchanged. The standard error of
 * libraries in the child is kept, and its last line is shown if the child
 * crashes. With GST_DEBUG set, it is shown immediately.
 * If the target is standard output, the child writes to it directly, and the
 * reader detects a failure only by the exit status. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/* Runs in the child. Writes the file of the descriptor @part, which is also
 * readable. Prints its messages, including the reason for a failure, to
 * @terminal. Returns TRUE if @part is complete. */
typedef gboolean (*SupervisorWork) (gint part, FILE * terminal,
    gpointer user_data);

/* Runs @work. Must be called only once, before any other thread is created.
 * @program is the prefix of each line of output. @target must not be a symbolic
 * link, or is NULL for standard output. @name is the name given by the user. If
 * @replaces is not set, a file @target that appears while @work runs is kept,
 * and the complete file gets another name. Returns the exit status of the
 * program. */
int supervisor_run (const gchar * program, const gchar * target,
    const gchar * name, gboolean replaces, SupervisorWork work,
    gpointer user_data);

G_END_DECLS
