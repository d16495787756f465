import { diskSlots } from '@gantry/control-plane/fleet/disk-slots'
import type { MachineHardware, MachineInterface, MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { cdOptions } from './cd-devices.ts'
import { blockNode, diskOptions, fdSet } from './disk-devices.ts'
import { address, type Option, sets, slots } from './places.ts'

/** How QEMU runs a guest's processor: by the host's virtualization, or by translating code. */
export type Accelerator = 'kvm' | 'tcg'

/**
 * Files that QEMU inherits under these numbers. It opens none by path, so its user needs no access to any, and
 * changes to a folder cannot redirect it or this process.
 */
export interface InheritedFiles {
  /** The folder in which it creates its sockets. */
  sockets: number
  /** The folder in which it creates the socket of a disk's copy. */
  exports: number
  serialLog: number
  /** Keeps the blocks that the guest overwrites while a disk is copied. */
  scratch: number
  seed: number
  /** The folder through which it opens disks that it gets while it runs. */
  plugs: number
  /** In the order of the specification. */
  disks: readonly number[]
  /** The code of UEFI, and its variables; undefined for a BIOS. */
  firmware: { code: number; variables: number } | undefined
  /** The socket of its TPM, if it has one. */
  tpm: number | undefined
  /** In the order of its CD drives; undefined for an empty one. */
  cds: readonly (number | undefined)[]
}

export interface MachineSetup {
  spec: MachineSpec
  accelerator: Accelerator
  /** Names the installation, to find stray processes. */
  tag: string
  files: InheritedFiles
  /** By the id of the interface. */
  taps: ReadonlyMap<string, string>
}

/** The block node of the scratch file. QEMU closes files that no node uses once no client is connected to its monitor. */
export const SCRATCH_NODE = 'scratch-file'
/** The scratch file for further nodes. */
export const SCRATCH_FILE = `/dev/fdset/${sets.scratch}`

/** The name of the socket at which QEMU shows a machine's screen. */
export const SCREEN_SOCKET = 'screen'

/** The name of the socket by which a machine's guest agent is reached, and of its device. */
export const AGENT_SOCKET = 'agent'
export const AGENT_DEVICE = 'agent'
/** By which guests find it. */
const AGENT_PORT = 'org.qemu.guest_agent.0'

export const exportPath = ({ exports }: Pick<InheritedFiles, 'exports'>): string =>
  `/proc/self/fd/${exports}/nbd`

const ID_OPTION = '-uuid'
const guestName = (tag: string): string => `guest=gantry-${tag},debug-threads=on`

/** The machine of a process of the installation, by its command line, also before it has become QEMU. */
export function machineOf(tag: string, words: readonly string[]): string | undefined {
  const id = words.indexOf(ID_OPTION)
  return words.includes(guestName(tag)) && id >= 0 ? words[id + 1] : undefined
}

const INTERFACES_MAX = slots.disk - slots.network

/** Bytes of translated code that TCG keeps; more makes small guests hardly faster. */
const TRANSLATED_MIB = 64

/** The command of a machine that waits for `cont`. */
export function qemuCommand({ spec, accelerator, tag, files, taps }: MachineSetup): string[] {
  needSlots(spec.disks, diskSlots, 'disks')
  needSlots(spec.interfaces, INTERFACES_MAX, 'network interfaces')
  const { firmware, clock } = spec.hardware
  const options: Option[] = [
    ['-display', 'none'],
    ['-name', guestName(tag)],
    [ID_OPTION, spec.id],
    // Without graphics the firmware and the boot loader use the serial console, besides the screen. Pages are not merged
    // with those of other guests, who could learn their contents from that.
    ['-machine', `q35,graphics=off,hpet=off,mem-merge=off,dump-guest-core=off${firmwareNodes(spec)}`],
    ['-accel', accelerator === 'kvm' ? 'kvm' : `tcg,tb-size=${TRANSLATED_MIB}`],
    ['-cpu', accelerator === 'kvm' ? 'host' : 'max'],
    ['-smp', `cpus=${spec.ncpus},sockets=1,cores=${spec.ncpus},threads=1`],
    ['-m', `${spec.memory}B`],
    ['-rtc', `base=${clock === 'local' ? 'localtime' : 'utc'},driftfix=slew`],
    // A sleeping guest would look like a hanging one.
    ['-global', 'ICH9-LPC.disable_s3=1'],
    ['-global', 'ICH9-LPC.disable_s4=1'],
    ['-boot', 'strict=on'],
    // QEMU stays, paused, when its guest ends, so that the reason can be read at any time.
    ['-action', 'shutdown=pause,panic=pause'],
    ['-device', 'pvpanic'],
    ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ['-chardev', `socket,id=qmp,path=/proc/self/fd/${files.sockets}/qmp,server=on,wait=off`],
    ['-mon', 'chardev=qmp,mode=control'],
    ['-add-fd', `fd=${files.serialLog},set=${sets.serialLog}`],
    ['-add-fd', `fd=${files.scratch},set=${sets.scratch}`],
    ['-blockdev', `driver=file,node-name=${SCRATCH_NODE},filename=${fdSet(sets.scratch)}`],
    ['-chardev', serialDevice(files)],
    ['-serial', 'chardev:serial'],
    ...screenOptions(files),
    ...agentOptions(files),
    ['-device', `virtio-rng-pci,addr=${address(slots.random)}`],
    ...(firmware === 'uefi' ? firmwareOptions(spec, files) : []),
    ...(files.tpm === undefined ? [] : tpmOptions(files.tpm)),
    ...diskOptions(spec, files),
    ...cdOptions(spec.cds, files.cds),
    ...spec.interfaces.flatMap((nic, index) => interfaceOptions(nic, index, taps, spec.hardware)),
  ]
  return ['qemu-system-x86_64', '-nodefaults', '-no-user-config', '-S', ...options.flat()]
}

/** Fails before QEMU would, with a message that says why. */
function needSlots(devices: readonly { slot: number }[], count: number, what: string): void {
  const used = new Set(devices.map(({ slot }) => slot))
  if (used.size < devices.length) throw new Error(`Two ${what} of the machine have the same slot.`)
  if ([...used].some((slot) => slot < 0 || slot >= count))
    throw new Error(`A machine has ${count} slots for ${what}.`)
}

const serialDevice = ({ sockets }: InheritedFiles): string =>
  `socket,id=serial,path=/proc/self/fd/${sockets}/serial,server=on,wait=off,logfile=${fdSet(sets.serialLog)},logappend=on`

/** The block nodes of UEFI's two flash devices. */
const flash = { code: 'firmware-code', variables: 'firmware-variables' } as const
const firmwareNodes = ({ hardware: { firmware, secure_boot } }: MachineSpec): string =>
  firmware === 'bios'
    ? ''
    : `,pflash0=${flash.code},pflash1=${flash.variables}${secure_boot ? ',smm=on' : ''}`

/** Only code in system management mode writes variables where secure boot relies on them. */
function firmwareOptions({ hardware: { secure_boot } }: MachineSpec, { firmware }: InheritedFiles): Option[] {
  if (!firmware) throw new Error('The machine boots by UEFI and has no firmware.')
  return [
    ['-add-fd', `fd=${firmware.code},set=${sets.code}`],
    ['-blockdev', blockNode(flash.code, { filename: fdSet(sets.code) }, { 'read-only': true })],
    ['-add-fd', `fd=${firmware.variables},set=${sets.variables}`],
    ['-blockdev', blockNode(flash.variables, { filename: fdSet(sets.variables) }, {})],
    ...(secure_boot ? [['-global', 'driver=cfi.pflash01,property=secure,value=on'] as const] : []),
  ]
}

const tpmOptions = (socket: number): Option[] => [
  ['-chardev', `socket,id=tpm,fd=${socket}`],
  ['-tpmdev', 'emulator,id=tpm,chardev=tpm'],
  ['-device', 'tpm-crb,tpmdev=tpm'],
]

/**
 * A screen, a keyboard that every guest knows, and a pointer whose place is that of the viewer's. Both are one PCI slot. The
 * viewers' conversations share the screen whatever they say, and their rights were checked before.
 */
const screenOptions = ({ sockets }: InheritedFiles): Option[] => [
  ['-device', `VGA,addr=${address(slots.screen)}.0,multifunction=on`],
  ['-device', `qemu-xhci,id=usb,addr=${address(slots.screen)}.1`],
  ['-device', 'usb-tablet,bus=usb.0'],
  ['-vnc', `unix:/proc/self/fd/${sockets}/${SCREEN_SOCKET},share=ignore`],
]

const agentOptions = ({ sockets }: InheritedFiles): Option[] => [
  ['-device', `virtio-serial-pci,id=agent-bus,addr=${address(slots.screen)}.2`],
  ['-chardev', `socket,id=${AGENT_DEVICE},path=/proc/self/fd/${sockets}/${AGENT_SOCKET},server=on,wait=off`],
  ['-device', `virtserialport,bus=agent-bus.0,chardev=${AGENT_DEVICE},name=${AGENT_PORT}`],
]

function interfaceOptions(
  { id, mac, name, slot }: MachineInterface,
  index: number,
  taps: ReadonlyMap<string, string>,
  { network_model }: MachineHardware,
): Option[] {
  const tap = taps.get(id)
  if (tap === undefined) throw new Error(`The network has no port for the interface ${name}.`)
  const nic = `nic${index}`
  const device = {
    driver: network_model === 'e1000' ? 'e1000' : 'virtio-net-pci',
    id: nic,
    netdev: nic,
    mac: mac.toLowerCase(),
    // It does not boot from the network.
    romfile: '',
    addr: address(slots.network + slot),
  }
  return [
    ['-netdev', `tap,id=${nic},ifname=${tap},script=no,downscript=no`],
    ['-device', JSON.stringify(device)],
  ]
}
