import fs from 'node:fs/promises'
import type { Accelerator } from './machine/arguments.ts'
import { confined } from './machine/machine-users.ts'
import { hostCommand, HostCommandFailed } from './host/host-command.ts'

/** The QEMU that runs machines on this host. */
export interface Engine {
  /** The version of QEMU. */
  version: string
  accelerator: Accelerator
  /** Why the processor's virtualization is not used; empty if it is. */
  whyNoKvm: string
  /** Groups that a machine's user needs. */
  groups: readonly number[]
}

const DEVICE = '/dev/kvm'
/** Real hardware takes tenths of a second; where the host emulates virtualization, translation is faster. */
const TRIAL_MS = 5000

/** Finds this host's QEMU, and whether it can run a guest by the processor's virtualization. */
export async function qemuEngine(user: number | undefined): Promise<Engine> {
  const version = await hostCommand(['qemu-system-x86_64', '--version'])
  const number = /version (\d+\.\d+\.\d+)/.exec(version)?.[1]
  if (number === undefined)
    throw new HostCommandFailed(
      `qemu-system-x86_64 says of its version: ${version.split('\n')[0]?.slice(0, 200)}`,
    )
  const translating = (whyNoKvm: string): Engine => ({
    version: number,
    accelerator: 'tcg',
    whyNoKvm,
    groups: [],
  })
  const device = await fs.stat(DEVICE).catch(() => undefined)
  if (!device) return translating(`The host has no ${DEVICE}.`)
  const groups = user === undefined ? [] : [device.gid]
  const denied = await whyDenied(user, device)
  if (denied !== undefined) return translating(denied)
  try {
    await runBriefly(user, groups)
    return { version: number, accelerator: 'kvm', whyNoKvm: '', groups }
  } catch (error) {
    return translating(`${DEVICE} does not work: ${(error as Error).message}`)
  }
}

/** Why a machine's user may not use the device, although the processor supports it. */
async function whyDenied(user: number | undefined, { gid, mode }: { gid: number; mode: number }) {
  const groupMay = (mode & 0o060) === 0o060 || (mode & 0o006) === 0o006
  if (user !== undefined)
    return groupMay ? undefined : `${DEVICE} lets no group read and write it. Run chmod g+rw ${DEVICE}.`
  const isDenied = await fs.access(DEVICE, fs.constants.R_OK | fs.constants.W_OK).then(
    () => false,
    () => true,
  )
  return isDenied
    ? `The user of this server may not use ${DEVICE}. Add it to the group ${gid}, usually called kvm.`
    : undefined
}

/**
 * Some hosts have the device but fail as soon as a guest runs. So a guest is tried: its firmware finds no disk and
 * restarts at once, which ends QEMU.
 */
const runBriefly = (user: number | undefined, groups: readonly number[]): Promise<string> =>
  hostCommand(
    [
      ...confined({ user, groups }),
      ...'qemu-system-x86_64 -nodefaults -no-user-config -display none -machine q35'.split(' '),
      ...'-accel kvm -cpu host -m 64 -no-reboot -boot strict=on,reboot-timeout=1'.split(' '),
    ],
    { deadlineMs: TRIAL_MS },
  )
