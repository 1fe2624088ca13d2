import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Environment, HostedBy } from '../cli/nightshift-process.ts';
import { applyRules, findFaketime, ip } from './network-tools.ts';

/** Ways to lose the network. `inbound` and `outbound` leave connections half open: only packets from, or to, the servers are lost. */
export const cuts = ['both ways', 'inbound', 'outbound', 'unplugged'] as const;
type Cut = (typeof cuts)[number];

/** A host for workers: a network namespace with one cable to this machine, and a clock of its own. */
export interface WorkerHost extends HostedBy {
  readonly name: string;
  /** Returns the URL of a server on loopback, as this host reaches it. */
  readonly reach: (url: string) => string;
  /** Loses every packet from now on, until `heal`. */
  readonly cut: (cut: Cut) => void;
  readonly heal: () => void;
  /** Loses this share of the packets in each direction, until another one is set; 0 for none. */
  readonly lose: (percent: number) => void;
  /** Delays packets by the kernel in each direction, until another delay is set; 0 for none. */
  readonly delay: (delayMs: number) => void;
  /** Number of packets with data that came from the counted ports so far. */
  readonly countReceived: () => number;
  /** Removes it. Processes that still run on it are cut off. */
  readonly close: () => void;
}

const namePrefix = 'nightshift-';
/** Addresses for tests of networks (RFC 2544), which are assigned to no one. */
const testNetwork = '198.18';
/** Address of the servers on loopback, the same on every host: the rate limit of a credential belongs to its address and key. */
const serverAddress = '198.19.255.254';
let opened = 0;

interface WorkerHostOptions {
  /** Difference of its clock from that of this machine, such as `+1d`. Default: none. */
  readonly clock?: string;
  /** Ports of servers whose packets are counted. */
  readonly counted: readonly number[];
}

/** Opens a host for workers, which the caller closes. It reaches the servers on loopback of this machine, and nothing else. */
export function openWorkerHost({ clock, counted }: WorkerHostOptions): WorkerHost {
  removeAbandoned();
  opened += 1;
  const name = `${namePrefix}${process.pid}-${opened}`;
  // Interfaces have at most 15 characters.
  const cable = `ns${process.pid}-${opened}`;
  const [ours, theirs] = freeAddresses();
  try {
    layCable({ name, cable, ours, theirs });
    applyRules(reachRules(name, cable));
    applyRules(faultRules(counted), name);
  } catch (error) {
    remove(name);
    throw error;
  }
  // Packets are lost on arrival: a lost one is no error for its sender.
  const setRule = (chain: string, rule: string) => {
    applyRules(`flush chain inet faults ${chain}\n${ruleOf('inet faults', chain, rule)}`, name);
    applyRules(`flush chain ip ${name} ${chain}\n${ruleOf(`ip ${name}`, chain, rule)}`);
  };
  return {
    name,
    command: ['ip', 'netns', 'exec', name],
    environment: clock === undefined ? {} : clockSettings(clock),
    reach: (url) => withHost(url, serverAddress),
    cut(cut) {
      if (cut === 'unplugged') ip('-n', name, 'link', 'set', 'eth0', 'down');
      else if (cut === 'inbound') applyRules(ruleOf('inet faults', 'cut', 'drop'), name);
      else if (cut === 'outbound') applyRules(ruleOf(`ip ${name}`, 'cut', 'drop'));
      else setRule('cut', 'drop');
    },
    heal() {
      plugIn(name, ours);
      setRule('cut', '');
    },
    lose: (percent) => setRule('loss', percent === 0 ? '' : `numgen random mod 100 < ${percent} drop`),
    delay(delayMs) {
      const change = delayMs === 0 ? ['del', 'root'] : ['replace', 'root', 'netem', 'delay', `${delayMs}ms`];
      const [verb = '', ...rest] = change;
      tc(['ip', 'netns', 'exec', name], [verb, 'dev', 'eth0', ...rest]);
      tc([], [verb, 'dev', cable, ...rest]);
    },
    countReceived: () => Number(/packets (\d+)/.exec(readRules(name))?.[1]),
    close: () => remove(name),
  };
}

/** Settings that give a process another clock. Durations stay right, such as those of timers: a clock that is set wrong still goes right. */
function clockSettings(clock: string): Environment {
  return { LD_PRELOAD: findFaketime() ?? '', FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}

interface Cable {
  readonly name: string;
  readonly cable: string;
  readonly ours: string;
  readonly theirs: string;
}

function layCable({ name, cable, ours, theirs }: Cable): void {
  ip('netns', 'add', name);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('address', 'add', `${ours}/30`, 'dev', cable);
  ip('link', 'set', cable, 'up');
  ip('-n', name, 'link', 'set', 'lo', 'up');
  ip('-n', name, 'address', 'add', `${theirs}/30`, 'dev', 'eth0');
  plugIn(name, ours);
  // Servers of tests listen on loopback. Goes away with the cable.
  writeFileSync(`/proc/sys/net/ipv4/conf/${cable}/route_localnet`, '1');
}

/** Connects the host. The route goes with the link. */
function plugIn(name: string, ours: string): void {
  ip('-n', name, 'link', 'set', 'eth0', 'up');
  ip('-n', name, 'route', 'replace', serverAddress, 'via', ours);
}

/** Rules of this machine: what comes from the host goes to loopback, after the faults, and seems to come from there: Postgres admits no other. */
function reachRules(name: string, cable: string): string {
  return `table ip ${name} {
    chain cut {
    }
    chain loss {
    }
    chain arrival {
      type filter hook prerouting priority raw
      iifname "${cable}" jump cut
      iifname "${cable}" jump loss
    }
    chain reach {
      type nat hook prerouting priority dstnat
      iifname "${cable}" ip daddr ${serverAddress} dnat to 127.0.0.1
    }
    chain admit {
      type nat hook input priority 100
      iifname "${cable}" snat to 127.0.0.1
    }
  }\n`;
}

/** Rules of the host: faults, then a count of what arrived. */
function faultRules(counted: readonly number[]): string {
  return `table inet faults {
  chain cut {
  }
  chain loss {
  }
  chain arrival {
    type filter hook prerouting priority raw
    iifname "eth0" jump cut
    iifname "eth0" jump loss
    tcp sport { ${counted.join(', ')} } tcp flags & psh == psh counter
  }
}\n`;
}

function ruleOf(table: string, chain: string, rule: string): string {
  return rule === '' ? '' : `add rule ${table} ${chain} ${rule}\n`;
}

/** The first pair of addresses in a random order that no interface of this machine has. */
function freeAddresses(): readonly [ours: string, theirs: string] {
  const taken = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
  for (;;) {
    const block = randomInt(2 ** 14);
    const at = (offset: number) => `${testNetwork}.${block >> 6}.${((block & 63) << 2) + offset}`;
    if (!taken.includes(at(1))) return [at(1), at(2)];
  }
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href.replace(/\/$/, '');
}

function readRules(name: string): string {
  return execFileSync('ip', ['netns', 'exec', name, 'nft', 'list', 'chain', 'inet', 'faults', 'arrival'], {
    encoding: 'utf8',
  });
}

function tc(inside: readonly string[], args: readonly string[]): void {
  const [program = 'tc', ...rest] = [...inside, 'tc', 'qdisc', ...args];
  execFileSync(program, rest, { stdio: 'pipe' });
}

/** Removes a host, however much of it is there. */
function remove(name: string): void {
  const cable = name.replace(namePrefix, 'ns');
  // The cable stays as long as a process of the namespace.
  for (const args of [
    ['link', 'delete', cable],
    ['netns', 'delete', name],
  ])
    spawnSync('ip', args);
  spawnSync('nft', ['delete', 'table', 'ip', name]);
}

/** Removes the hosts of tests that were killed. */
function removeAbandoned(): void {
  const names = existsSync('/run/netns') ? readdirSync('/run/netns') : [];
  for (const name of names) {
    const owner = /^nightshift-(\d+)-\d+$/.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) remove(name);
  }
}
