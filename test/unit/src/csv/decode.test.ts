import { expect, test } from 'vitest';
import { decodeText } from '../../../../src/csv/decode.ts';
import { encodeText, streamOf } from '../../../support/csv/company-files.ts';

interface Read {
  readonly text: string;
  readonly loneSurrogates: readonly number[];
}

async function decode(bytes: Uint8Array, encoding: string, pieceBytes?: number): Promise<Read> {
  const lines: number[] = [];
  const onReplaced = (lineNo: number) => void lines.push(lineNo);
  const options = { fileName: 'list.csv', encoding, bomBytes: 0, onReplaced };
  const pieces: Uint8Array[] = [];
  for await (const piece of decodeText(streamOf(bytes, pieceBytes), options)) pieces.push(piece);
  return { text: Buffer.concat(pieces).toString(), loneSurrogates: lines };
}

const text = 'a€b\r\nçé’–\n\r😀 ü\r\n';

test.each([1, 2, 3, 5, 64])('every encoding is decoded in chunks of %d bytes', async (pieceBytes) => {
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
    expect(await decode(encodeText(text, encoding), encoding, pieceBytes)).toEqual({
      text,
      loneSurrogates: [],
    });
  }
  const latin = text.replace('😀', '');
  expect((await decode(encodeText(latin, 'windows-1252'), 'windows-1252', pieceBytes)).text).toBe(latin);
  const japanese = Buffer.from([0x83, 0x65, 0x83, 0x58, 0x0a, 0x83, 0x67]);
  expect((await decode(japanese, 'shift_jis', pieceBytes)).text).toBe('テス\nト');
});

test.each([
  ['utf-8', 'a stray byte', [0x61, 0x0a, 0x0d, 0x0a, 0xe9, 0x0a], 3, '0xE9'],
  ['utf-8', 'an overlong form', [0x0d, 0x0a, 0xc0, 0xaf], 2, '0xC0'],
  ['utf-8', 'an encoded surrogate', [0xed, 0xa0, 0x80], 1, '0xED'],
  ['utf-8', 'a character cut off at the end', [0x0a, 0xe2, 0x82], 2, '0xE2'],
  ['windows-1252', 'an unused byte', [0xe9, 0x0a, 0x81, 0x0a, 0x0a], 2, '0x81'],
  ['utf-16le', 'half a character at the end', [0x61, 0, 0x0a, 0, 0x62], 2, 'Half a character at the end'],
  ['shift_jis', 'a lead byte without its second', [0x0a, 0x83, 0x65, 0x0a, 0x83, 0x0a], 3, 'A byte'],
])('in %s, %s is rejected with its line', async (encoding, _, bytes, lineNo, what) => {
  for (const pieceBytes of [1, 2, 3, 100]) {
    const decoding = decode(Buffer.from(bytes), encoding, pieceBytes);
    await expect(decoding).rejects.toMatchObject({ code: 'validation_error', where: `list.csv:${lineNo}` });
    await expect(decoding).rejects.toThrow(`${what} is not valid in ${encoding}`);
    await expect(decoding).rejects.toThrow('--encoding');
  }
});

test('the line of an invalid byte is correct far into the file', async () => {
  const lines = 'acme.com,Acme\r\n'.repeat(20_000);
  const bytes = Buffer.concat([Buffer.from(lines), Buffer.from([0x61, 0xff])]);
  await expect(decode(bytes, 'utf-8', 4_099)).rejects.toMatchObject({ where: 'list.csv:20001' });
});

test('U+FFFD in the file itself is kept', async () => {
  expect((await decode(Buffer.from('a\ufffdb'), 'utf-8')).text).toBe('a\ufffdb');
});

test('each lone surrogate of UTF-16 is reported with its line', async () => {
  const lone = 'a\nb\ud800c\n\n\udc00😀\ud83d';
  for (const pieceBytes of [1, 3, 100]) {
    const read = await decode(encodeText(lone, 'utf-16be'), 'utf-16be', pieceBytes);
    expect(read).toEqual({ text: 'a\nb\ufffdc\n\n\ufffd😀\ufffd', loneSurrogates: [2, 4, 4] });
  }
});
