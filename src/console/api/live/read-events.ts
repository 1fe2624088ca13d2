/**
 * Reads the data of server-sent events until the stream ends.
 *
 * @throws what the stream throws when the connection is lost.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { onBytes, onData }: { readonly onBytes: () => void; readonly onData: (data: string) => void },
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    text += decoder.decode(value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:'));
      if (data.length > 0) onData(data.map((line) => line.slice(5).trimStart()).join('\n'));
    }
  }
}
