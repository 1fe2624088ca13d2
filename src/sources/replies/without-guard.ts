/** Removes the line that some of Google's services put before JSON so that no script can run it. */
export function withoutGuard(reply: string): string {
  return reply.replace(/^\s*\)\]\}'[^\n]*\n?/, '');
}
