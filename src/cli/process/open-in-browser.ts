import { spawn } from 'node:child_process';

/** Programs that open an address in the browser of the user, by platform, with their first arguments. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens an address in the browser of the user. Resolves to false where there is none. The browser outlives this process. */
export function openInBrowser(url: string): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const opener = spawn(program, [...args, url], { detached: true, stdio: 'ignore' });
    opener.once('error', () => resolve(false));
    opener.once('exit', (code) => resolve(code === 0));
    opener.unref();
  });
}
