/** Number of open TCP sockets of this process, which other test files may share. */
export function countSockets(): number {
  const kinds = ['TCPSocketWrap', 'TLSWrap', 'TCPConnectWrap'];
  return process.getActiveResourcesInfo().filter((resource) => kinds.includes(resource)).length;
}
