import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { vi } from 'vitest';
import { homeIn, ownEnvironment, type Environment } from '../cli/nightshift-process.ts';

/** Terminal after the end of a command. */
export interface EndedTerminal {
  readonly exitCode: number;
  /** All output without control sequences; frames of a progress line follow each other. */
  readonly text: string;
  /** The same with its control sequences. */
  readonly raw: string;
  /** Control sequences of the output, except colours and the erasure of the progress line. */
  readonly controls: readonly string[];
  /** Lines that a user sees at the end, including scrolled ones. */
  readonly lines: readonly string[];
  /** Lines that were ever wider than the terminal, so that it wrapped them. */
  readonly tooWide: readonly string[];
  /** Disabled modes of the terminal that a line-based program needs. */
  readonly modesLost: readonly string[];
  readonly isCursorVisible: boolean;
}

/** Command in a real terminal. */
export interface TerminalRun {
  /** Returns all output so far, without control sequences. */
  readonly text: () => string;
  /** Resolves when the text is written; rejects when the command ends before. After a minute it kills the command and rejects with its output. */
  readonly says: (text: string | RegExp) => Promise<void>;
  /** Changes the width of the window. Resolves when the last line of the command fits; rejects with its output if it draws on in the width before. */
  readonly resize: (columns: number) => Promise<void>;
  /** Presses keys. */
  readonly press: (keys: string) => void;
  readonly isRunning: () => boolean;
  /** Resolves at the end of the command; after a minute it kills the command and rejects with its output. */
  readonly ended: () => Promise<EndedTerminal>;
  /** Closes the terminal. */
  readonly hangUp: () => void;
}

export const ctrlC = '\x03';

const bin = join(import.meta.dirname, '../../../src/cli/nightshift.js');
const endsWithinMs = 60_000;
/** What a command draws in the width before while it learns of a new one. */
const drawsBetweenMax = 10;
/** Marks the output of `stty -a` after that of the command. */
const mark = '=== modes ===';
const endMark = '=== end ===';
/**
 * Shell script that runs the command and reports the modes of the terminal afterwards. Only the command receives Ctrl-C. The script ends
 * when its last line has been read: unread output of a terminal is lost.
 */
const script = `trap : INT; if [ -n "$NO_WIDTH" ]; then stty columns 0; fi; "$0" "$@"; code=$?; printf '%s\\n' '${mark}'; stty -a; printf '%s\\n' '${endMark}'; read -r _; exit $code`;

/** Width of the screen of a terminal that reports none. */
const columnsOfNone = 80;

/** Starts `nightshift ARGS` in a terminal of a width; 0 is a terminal that reports none. */
export function openTerminal(
  args: readonly string[],
  {
    folder,
    environment,
    columns,
  }: { readonly folder: string; readonly environment: Environment; readonly columns: number },
): TerminalRun {
  const shown = columns === 0 ? columnsOfNone : columns;
  const screen = new headless.Terminal({
    cols: shown,
    rows: 40,
    scrollback: 5000,
    allowProposedApi: true,
  });
  const child = spawn('/bin/bash', ['-c', script, process.execPath, bin, ...args], {
    name: environment['TERM'] ?? 'xterm-256color',
    cols: shown,
    rows: 40,
    cwd: folder,
    env: {
      ...personalEnvironment(),
      ...homeIn(folder),
      ...environment,
      ...(columns === 0 ? { NO_WIDTH: '1' } : {}),
    },
  });
  let raw = '';
  let exitCode: number | null = null;
  let draws = 0;
  const tooWide = new Set<string>();
  child.onData((data) => {
    const isLast = !raw.includes(endMark) && `${raw}${data}`.includes(endMark);
    raw += data;
    if (isLast) child.write('\n');
    screen.write(data, () => {
      draws += 1;
      if (!raw.includes(mark)) tooWide.add(brokenLine(screen));
    });
  });
  child.onExit((exit) => (exitCode = exit.exitCode));
  const text = () => stripVTControlCharacters(raw);
  const waitOptions = { timeout: endsWithinMs, interval: 10 };

  async function says(wanted: string | RegExp): Promise<void> {
    const isShown = () => (typeof wanted === 'string' ? text().includes(wanted) : wanted.test(text()));
    await waitFor(() => isShown() || exitCode !== null, `did not say ${String(wanted)}`);
    if (!isShown()) throw new Error(`It ended before it said ${String(wanted)}:\n${text()}`);
  }

  /** Waits; after the maximum it kills the command, which would disturb the next tests. */
  async function waitFor(condition: () => boolean, failure: string): Promise<void> {
    try {
      await vi.waitUntil(condition, waitOptions);
    } catch {
      child.kill('SIGKILL');
      throw new Error(`nightshift ${args.join(' ')} ${failure}:\n${text()}`);
    }
  }

  /** The screen becomes narrow last: it would wrap what the command wrote before it knew of the new width. */
  async function resize(columns: number): Promise<void> {
    screen.resize(Math.max(columns, screen.cols), 40);
    child.resize(columns, 40);
    const drawsBefore = draws;
    const { active } = screen.buffer;
    const fits = () => active.cursorX > 0 && active.cursorX < columns;
    const hasDrawnOn = () => draws > drawsBefore + drawsBetweenMax;
    await waitFor(() => fits() || hasDrawnOn(), `did not draw for ${columns} columns`);
    if (!fits()) throw new Error(`It did not draw for ${columns} columns:\n${text()}`);
    screen.resize(columns, 40);
  }

  async function ended(): Promise<EndedTerminal> {
    await waitFor(() => exitCode !== null, 'did not end');
    await new Promise<void>((resolve) => screen.write('', resolve));
    const [written = '', modes = ''] = text().split(mark);
    const lines = allLines(screen);
    for (const line of brokenLines(screen).slice(0, lines.indexOf(mark))) tooWide.add(line);
    return {
      exitCode: exitCode ?? -1,
      text: written,
      raw: raw.slice(0, raw.indexOf(mark)),
      controls: foreignControls(raw.slice(0, raw.indexOf(mark))),
      lines: lines.slice(0, lines.indexOf(mark)),
      tooWide: [...tooWide].filter((line) => line !== '' && !line.includes('speed ')),
      modesLost: ['icanon', 'echo', 'isig'].filter((mode) => !new RegExp(`(^|\\s)${mode}\\b`).test(modes)),
      isCursorVisible: raw.lastIndexOf('\x1b[?25l') <= raw.lastIndexOf('\x1b[?25h'),
    };
  }

  return {
    text,
    says,
    ended,
    isRunning: () => exitCode === null,
    resize,
    press: (keys) => child.write(keys),
    hangUp: () => child.kill('SIGHUP'),
  };
}

/** Matches everything except text, line ends, tabs, colours and the erasure of a line. */
function foreignControls(raw: string): readonly string[] {
  const own = ['[2K', '[1m', '[22m', '[31m', '[32m', '[33m', '[39m'].reduce(
    (text, sequence) => text.replaceAll(`\x1b${sequence}`, ''),
    raw,
  );
  return own.match(/(?![\r\n\t])[\p{Cc}\p{Cf}]/gu) ?? [];
}

/** Removes the variables of a CI, which turn off progress. */
function personalEnvironment(): NodeJS.ProcessEnv {
  const ofCi = new Set(['CI', 'NO_COLOR']);
  return Object.fromEntries(Object.entries(ownEnvironment()).filter(([name]) => !ofCi.has(name)));
}

/** Returns the line of the cursor if the terminal wrapped it, else nothing. */
function brokenLine(screen: headless.Terminal): string {
  const { active } = screen.buffer;
  const line = active.getLine(active.baseY + active.cursorY);
  if (line?.isWrapped !== true) return '';
  const before = active.getLine(active.baseY + active.cursorY - 1)?.translateToString(true) ?? '';
  return `${before}${line.translateToString(true)}`;
}

/** Returns all wrapped lines. */
function brokenLines({ buffer: { active } }: headless.Terminal): readonly string[] {
  return Array.from({ length: active.length }, (_, i) => {
    if (active.getLine(i + 1)?.isWrapped !== true) return '';
    return active.getLine(i)?.translateToString(true) ?? '';
  });
}

function allLines({ buffer }: headless.Terminal): readonly string[] {
  const { active } = buffer;
  return Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '');
}
