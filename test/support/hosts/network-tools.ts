import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `ip`, and returns its output. @throws Error with its message */
export function ip(...args: readonly string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: 'pipe' });
}

/** Applies nftables rules, in a network namespace if one is given. All of them take effect at once, or none. @throws Error with its message */
export function applyRules(rules: string, namespace?: string): void {
  const inside = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
  const [program = 'nft', ...args] = [...inside, 'nft', '-f', '-'];
  execFileSync(program, args, { input: rules, encoding: 'utf8', stdio: 'pipe' });
}

/** Returns null if this machine can have hosts of its own; otherwise the permission or the Debian package that is missing. */
export function hostsUnavailableReason(): string | null {
  if (process.platform !== 'linux') return 'network namespaces are a part of Linux';
  for (const [program, debianPackage] of [
    ['ip', 'iproute2'],
    ['nft', 'nftables'],
  ] as const) {
    if (spawnSync(program, ['-V']).error !== undefined)
      return `${program} not installed (Debian: ${debianPackage})`;
  }
  if (findFaketime() === null) return 'libfaketimeMT.so.1 not installed (Debian: faketime)';
  return inScratchNamespace(() => null) ?? canTranslate();
}

/** Path of the library that gives a process another clock; null where it is not installed. */
export function findFaketime(): string | null {
  for (const libraries of ['/usr/lib', ...subfolders('/usr/lib')]) {
    const file = join(libraries, 'faketime', 'libfaketimeMT.so.1');
    if (existsSync(file)) return file;
  }
  return null;
}

/** True if the kernel delays and loses packets by itself. */
export function hasNetem(): boolean {
  return (
    inScratchNamespace((name) => {
      ip('netns', 'exec', name, 'tc', 'qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms');
      return null;
    }) === null
  );
}

/** Runs `use` with a namespace that is removed at once. Returns its answer, or the message of an error. */
function inScratchNamespace(use: (name: string) => string | null): string | null {
  const name = `nightshift-${process.pid}-probe`;
  try {
    ip('netns', 'add', name);
  } catch {
    return 'network namespaces need root';
  }
  try {
    return use(name);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    ip('netns', 'delete', name);
  }
}

function canTranslate(): string | null {
  return inScratchNamespace((name) => {
    const rule = 'iifname "lo" ip daddr 198.18.0.1 dnat to 127.0.0.1';
    applyRules(
      `table ip probe {
        chain reach { type nat hook prerouting priority dstnat
          ${rule}
        }
        chain loss { type filter hook prerouting priority raw
          numgen random mod 100 < 5 drop
        }
      }\n`,
      name,
    );
    return null;
  });
}

function subfolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
