/** The JSON of a reply. Some of Google's services put a line before it, so that no script can run it. */
export function withoutGuard(reply: string): string {
  return reply.replace(/^\s*\)\]\}'[^\n]*\n?/, '');
}
