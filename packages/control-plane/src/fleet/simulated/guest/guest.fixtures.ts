import { GiB } from '@gantry/api/base/bytes.rules'
import type { GuestFacts, GuestState } from '../../simulated-guest.ts'
import { advance, powerOn, type } from './machine.ts'

// Two VMs that differ in everything a command can show, for the tests in this folder.
export const web: GuestFacts = {
  instance_id: '0b9a3c1e-7a52-4f0e-9c1b-2f6f3f1d7a10',
  name: 'web-1',
  hostname: 'web-1',
  ncpus: 1,
  memory: 1 * GiB,
  disks: [{ name: 'web-boot', size: 10 * GiB, block_size: 512, is_boot: true }],
  interfaces: [
    { name: 'net0', mac: 'a8:40:25:f0:1c:02', ip: '172.30.0.5', prefix_length: 22, is_primary: true },
  ],
  os: 'Ubuntu',
  version: '24.04',
  ssh_keys: 1,
}

export const db: GuestFacts = {
  instance_id: 'c6e0f7b4-3f3d-4a3c-8f7e-5a4c9be1d2f3',
  name: 'db-primary',
  hostname: 'db.example.org',
  ncpus: 16,
  memory: 64 * GiB,
  disks: [
    { name: 'db-data', size: 512 * GiB, block_size: 4096, is_boot: false },
    { name: 'db-boot', size: 40 * GiB, block_size: 512, is_boot: true },
  ],
  interfaces: [
    { name: 'net0', mac: 'a8:40:25:00:00:01', ip: '10.1.2.200', prefix_length: 25, is_primary: false },
    { name: 'net1', mac: 'a8:40:25:f3:4d:05', ip: '192.168.7.9', prefix_length: 24, is_primary: true },
    { name: 'net2', mac: 'a8:40:25:f3:4d:06', ip: 'fd00:1::7', prefix_length: 64, is_primary: false },
  ],
  os: 'debian',
  version: '13',
  ssh_keys: 3,
}

export const bootedAt = new Date('2025-10-09T08:06:41.000Z')

export function after(ms: number): Date {
  return new Date(bootedAt.getTime() + ms)
}

/** The time of input in these tests: 42 days and some hours after the boot. */
export const later = new Date('2025-11-20T18:02:11.000Z')

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** A VM at its login prompt. */
export function booted(facts: GuestFacts): GuestState {
  return advance(facts, powerOn(facts, bootedAt), later).state
}

/** A VM with a user logged in. */
export function loggedIn(facts: GuestFacts, user = 'mara'): GuestState {
  return type(facts, booted(facts), bytesOf(`${user}\rsecret\r`), later).state
}

/** A command's output, without the echo and the next prompt. */
export function linesOf(facts: GuestFacts, line: string, user = 'mara'): string[] {
  const { output } = type(facts, loggedIn(facts, user), bytesOf(`${line}\r`), later)
  return textOf(output).split('\r\n').slice(1, -1)
}
