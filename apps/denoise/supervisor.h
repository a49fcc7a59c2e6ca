/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs work that is done completely or not at all.
 *
 * A child process writes a file with a unique temporary name in the folder of
 * the target. The child gets the descriptor of this file: if somebody else
 * replaces the file under this name, the replacement is neither written to nor
 * becomes the target. When the child reports success, the file gets the mode
 * of the target (or the mode of a new file) and its name; until then only its
 * user can read the file. If the child fails, crashes or is interrupted by
 * SIGINT, SIGTERM, SIGHUP or SIGQUIT, the file is deleted and an existing
 * target stays unchanged. The output of libraries on the child's standard
 * error is kept, and the last line of this output is shown if the child
 * crashes. With GST_DEBUG set, the output is shown immediately.
 *
 * If the target is standard output, the child writes to it directly: what reads
 * it learns of a failure by the exit status only. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/* Runs in the child. Writes the file of the descriptor @part, which is also
 * readable. Prints its messages, including the reason for a failure, to
 * @terminal. Returns TRUE if @part is complete. */
typedef gboolean (*SupervisorWork) (gint part, FILE * terminal,
    gpointer user_data);

/* Runs @work. Must be called only once, before there is any other thread.
 * @program begins each line of output. @target must not be a symbolic
 * link, or is NULL for standard output. @name is the name that the user gave
 * to it. If @replaces is not set, a file @target that appears while @work runs
 * is kept, and the complete file gets another name. Returns the exit status of
 * the program. */
int supervisor_run (const gchar * program, const gchar * target,
    const gchar * name, gboolean replaces, SupervisorWork work,
    gpointer user_data);

G_END_DECLS
