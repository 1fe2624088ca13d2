import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk in memory that a test fills. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no room for another byte. */
  readonly fillBytes: () => void;
  /** Frees some of what was filled. */
  readonly leave: (megabytes: number) => void;
  /** Leaves no inode for another file. */
  readonly fillInodes: () => void;
  /** Removes what filled it. */
  readonly free: () => void;
  readonly close: () => void;
}

/** Enough for a new private server, and little to fill. */
const sizeMb = 600;

/** Returns null if this process may mount disks; otherwise the reason. */
export function disksUnavailableReason(): string | null {
  const probe = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return process.getuid?.() === 0 && probe.status === 0 ? null : 'a small disk needs root';
}

/** Mounts a disk at an empty folder. The caller closes it. */
function mountDisk(folder: string, megabytes: number): SmallDisk {
  const limits = `size=${megabytes}m,nr_inodes=12000,mode=755`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', limits, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  const free = () => rmSync(ballast, { recursive: true, force: true });
  return {
    folder,
    // `dd` writes until there is no room.
    fillBytes: () => void spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']),
    leave: (megabytes) => truncateSync(ballast, statSync(ballast).size - megabytes * 1024 * 1024),
    fillInodes() {
      mkdirSync(ballast);
      for (let n = 0; ; n += 1) {
        try {
          writeFileSync(join(ballast, String(n)), '');
        } catch {
          return;
        }
      }
    },
    free,
    // Also while a server still uses it.
    close: () => void spawnSync('umount', ['--lazy', folder]),
  };
}

/** Moves a folder of a stopped server, with its owner, to a disk of its own behind a symbolic link. */
export function moveToSmallDisk(folder: string, megabytes = sizeMb): SmallDisk {
  const mounted = mkdtempSync(join(tmpdir(), 'nightshift-disk-'));
  const disk = mountDisk(mounted, megabytes);
  const moved = join(mounted, 'moved');
  execFileSync('cp', ['-a', folder, moved]);
  rmSync(folder, { recursive: true });
  symlinkSync(moved, folder);
  return {
    ...disk,
    close() {
      disk.close();
      rmSync(mounted, { recursive: true, force: true });
    },
  };
}
