import type { GuestFacts } from '../../simulated-guest.ts'
import {
  ARCHITECTURE,
  blockDevices,
  CPU_MODEL,
  hostnameOf,
  kernelCommandLine,
  linksOf,
  releaseOf,
  rootDevice,
  SERIAL_LINE,
} from './system.ts'
import { memoryUse } from './usage.ts'

/** From power on to the login prompt, in milliseconds. */
export const BOOT_MS = 2500

export interface BootLine {
  /** Milliseconds since power on. */
  offset: number
  text: string
}

// Kernel messages before its clock runs.
const LINES_AT_ZERO = 6

// The last line appears shortly before the login prompt.
const LAST_LINE_MS = BOOT_MS - 90

/** The kernel log of one boot. It is a pure function of facts and time, so it is not stored. */
export function bootLog(facts: GuestFacts, bootedAt: Date): BootLine[] {
  const messages = [...kernelMessages(facts, bootedAt), ...serviceMessages(facts)]
  return messages.map((message, index) => {
    const offset = offsetOf(index, messages.length)
    return { offset, text: `[${(offset / 1000).toFixed(6).padStart(12)}] ${message}` }
  })
}

/** The getty banner and prompt, after a boot and after each logout. */
export function loginBanner(facts: GuestFacts): string {
  const hostname = hostnameOf(facts)
  return `\r\n${releaseOf(facts).pretty} ${hostname} ${SERIAL_LINE}\r\n\r\n${loginPrompt(facts)}`
}

export function loginPrompt(facts: GuestFacts): string {
  return `${hostnameOf(facts)} login: `
}

/** The shutdown log. */
export function stoppingLog(action: 'poweroff' | 'reboot', seconds: number): string[] {
  const last = action === 'reboot' ? 'reboot: Restarting system' : 'reboot: Power down'
  const messages = [
    'systemd[1]: Stopping user sessions',
    'systemd[1]: Stopped target multi-user.target',
    'systemd[1]: Unmounting file systems',
    `systemd-shutdown[1]: Sending SIGTERM to remaining processes`,
    `systemd-shutdown[1]: All file systems unmounted`,
    last,
  ]
  return messages.map((message, index) => {
    const at = seconds + index * 0.083417 + 0.018206
    return `[${at.toFixed(6).padStart(12)}] ${message}`
  })
}

function offsetOf(index: number, count: number): number {
  if (index < LINES_AT_ZERO) return 0
  // Kernel lines come fast and service lines slowly, so the gaps grow. The jitter is smaller than any gap,
  // which preserves the order, and depends only on the index, which keeps the log reproducible.
  const share = (index - LINES_AT_ZERO + 1) / (count - LINES_AT_ZERO)
  const jitter = ((index * 7919) % 997) / 997
  return Math.round((LAST_LINE_MS * share ** 1.4 - jitter * 4) * 1000) / 1000
}

function kernelMessages(facts: GuestFacts, bootedAt: Date): string[] {
  const release = releaseOf(facts)
  const disks = blockDevices(facts)
  const links = linksOf(facts)
  return [
    `Linux version ${release.kernel} (${ARCHITECTURE}, SMP)`,
    `Command line: ${kernelCommandLine(facts)}`,
    ...(facts.firmware === 'uefi' ? ['efi: EFI v2.7 by Gantry'] : []),
    `Hypervisor detected: KVM`,
    ...(facts.has_tpm ? ['tpm_crb: TPM 2.0 by Gantry'] : []),
    `DMI: Gantry virtual machine, UUID ${facts.instance_id}`,
    `smpboot: CPU0: ${CPU_MODEL}`,
    `Memory: ${kib(memoryUse(facts).total)}/${kib(facts.memory)} available`,
    `printk: console [${SERIAL_LINE}] enabled at 115200 baud`,
    `clocksource: using tsc as the time source`,
    `smp: brought up 1 node, ${facts.ncpus} ${facts.ncpus === 1 ? 'CPU' : 'CPUs'}`,
    `PCI: 1 host bridge, ${disks.length + links.length} virtio devices`,
    `NET: IPv4 and IPv6 protocols ready`,
    `rtc_cmos: system clock set to ${bootedAt.toISOString().slice(0, 19)} UTC`,
    `virtio-rng virtio0: random source ready`,
    ...disks.map((disk, index) => {
      const blocks = disk.size / 512
      const physical = disk.block_size === 512 ? '' : `, ${disk.block_size}-byte physical blocks`
      const size = `${decimal(disk.size)}/${binary(disk.size)}`
      return `virtio_blk virtio${index + 1}: [${disk.device}] ${blocks} 512-byte logical blocks (${size})${physical}`
    }),
    ...disks
      .filter((disk) => disk.partitions.length > 0)
      .map((disk) => ` ${disk.device}: ${disk.partitions.map((part) => part.device).join(' ')}`),
    ...links.map(
      (link, index) => `virtio_net virtio${disks.length + index + 1}: ${link.device} has MAC ${link.mac}`,
    ),
    'random: generator seeded',
    ...rootMessages(facts),
  ]
}

function rootMessages(facts: GuestFacts): string[] {
  if (facts.disks.length === 0) return [`RAMDISK: no disk found, running from ${rootDevice(facts)}`]
  const mounted = 'EXT4-fs (vda1): mounted filesystem, read-only'
  const [root] = blockDevices(facts)
  return root?.read_only ? [mounted] : [mounted, 'EXT4-fs (vda1): remounted, read-write']
}

function serviceMessages(facts: GuestFacts): string[] {
  const links = linksOf(facts)
  const primary = links.find((link) => link.is_primary && link.ipv4)
  const keys = facts.ssh_keys === 1 ? '1 SSH public key' : `${facts.ssh_keys || 'no'} SSH public keys`
  return [
    `systemd[1]: running in system mode on ${ARCHITECTURE}`,
    `systemd[1]: Hostname set to <${hostnameOf(facts)}>`,
    'systemd[1]: Started journal service',
    'systemd[1]: Reached target local-fs.target',
    'systemd-udevd[211]: device nodes created',
    'cloud-init[304]: stage local: datasource NoCloud found on the configuration drive',
    `cloud-init[304]: instance-id ${facts.instance_id}`,
    ...links.map(
      (link) => `systemd-networkd[338]: ${link.device}: up, address ${link.ip}/${link.prefix_length}`,
    ),
    ...(primary?.ipv4 ? [`systemd-networkd[338]: default route through ${primary.ipv4.gateway}`] : []),
    'systemd[1]: Reached target network-online.target',
    'systemd-timesyncd[351]: clock synchronised',
    'cloud-init[412]: stage config: growing the root filesystem',
    'cloud-init[412]: generated SSH host keys: rsa ecdsa ed25519',
    `cloud-init[412]: ${keys} authorized for the default user`,
    'sshd[447]: listening on port 22',
    'systemd[1]: Started cron service',
    'systemd[1]: Reached target multi-user.target',
    `systemd[1]: Started login prompt on ${SERIAL_LINE}`,
    'cloud-init[488]: all stages finished, datasource NoCloud',
  ]
}

function kib(bytes: number): string {
  return `${Math.floor(bytes / 1024)}K`
}

function decimal(bytes: number): string {
  const giga = bytes / 1e9
  return giga >= 1000 ? `${(giga / 1000).toFixed(2)} TB` : `${giga.toFixed(1)} GB`
}

function binary(bytes: number): string {
  const gibi = bytes / 2 ** 30
  return gibi >= 1024 ? `${(gibi / 1024).toFixed(2)} TiB` : `${gibi.toFixed(1)} GiB`
}
