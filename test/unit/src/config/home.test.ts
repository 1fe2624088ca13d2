import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseHome } from '../../../../src/config/home.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'nightshift-place-')));
  mkdirSync(join(root, 'project', 'lists', 'deep'), { recursive: true });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

const user = { HOME: '/home/jane', XDG_DATA_HOME: '' };
const homeFrom = (folder: string, more: object = {}) =>
  chooseHome({ environment: { ...user, ...more }, folder, platform: 'linux' });

describe('home folder', () => {
  test('the setting wins over a .nightshift of the working folder, and is relative to the working folder', () => {
    const folder = join(root, 'project');
    mkdirSync(join(folder, '.nightshift'));
    expect(homeFrom(folder, { NIGHTSHIFT_HOME: '/data' })).toBe('/data');
    expect(homeFrom(folder, { NIGHTSHIFT_HOME: 'own' })).toBe(join(folder, 'own'));
    expect(homeFrom(folder, { NIGHTSHIFT_HOME: '' })).toBe(join(folder, '.nightshift'));
  });

  test('the nearest .nightshift above the working folder is used; a file of that name is not', () => {
    mkdirSync(join(root, '.nightshift'));
    mkdirSync(join(root, 'project', '.nightshift'));
    writeFileSync(join(root, 'project', 'lists', '.nightshift'), '');
    expect(homeFrom(join(root, 'project', 'lists', 'deep'))).toBe(join(root, 'project', '.nightshift'));
    expect(homeFrom(root)).toBe(join(root, '.nightshift'));
  });

  test('a .nightshift of another user above the working folder is not used', () => {
    mkdirSync(join(root, '.nightshift'));
    const own = process.geteuid?.() ?? 0;
    vi.spyOn(process, 'geteuid').mockReturnValue(own + 1);
    expect(homeFrom(join(root, 'project'))).toBe('/home/jane/.local/share/nightshift');
    expect(homeFrom(root)).toBe(join(root, '.nightshift'));
  });

  test.each([
    ['linux', user, '/home/jane/.local/share/nightshift'],
    ['linux', { ...user, XDG_DATA_HOME: '/data/jane' }, '/data/jane/nightshift'],
    ['linux', { ...user, XDG_DATA_HOME: 'data' }, '/home/jane/.local/share/nightshift'],
    ['darwin', user, '/home/jane/Library/Application Support/nightshift'],
    ['win32', { ...user, LOCALAPPDATA: '/jane/AppData/Local' }, '/jane/AppData/Local/nightshift'],
  ] as const)('on %s with %o the default is %s', (platform, environment, home) => {
    expect(chooseHome({ environment, folder: join(root, 'project'), platform })).toBe(home);
  });
});
