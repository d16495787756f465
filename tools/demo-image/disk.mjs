import fs from 'node:fs'
import path from 'node:path'
import { command, searched } from './command.mjs'
import { unpacked } from './debian.mjs'

const MiB = 1024 * 1024
const SECTOR = 512

/** The kernel and its system, then the file system of /root. What is unwritten takes no space. */
const boot = { type: 0x0c, isActive: true, start: MiB, size: 31 * MiB }
const home = { type: 0x83, isActive: false, start: 32 * MiB, size: 224 * MiB }
const DISK_BYTES = 256 * MiB

const bootMenu = `
DEFAULT linux
LABEL linux
  KERNEL vmlinuz
  INITRD system.gz
  APPEND console=ttyS0,115200
`

/**
 * Writes the compressed image of a disk that a PC's firmware boots. Every program works on a file at an offset, which
 * needs no loop device and no mount.
 * @param {{ packages: string, system: Buffer, scratch: string, file: string }} what
 */
export function writeDisk({ packages, system, scratch, file }) {
  const disk = path.join(scratch, 'disk.raw')
  writePartitions(disk, fs.readFileSync(unpacked(packages, 'mbr.bin')))

  const volume = ['-i', `${disk}@@${boot.start}`]
  // Syslinux calls programs of mtools too.
  const programs = { path: `${path.dirname(unpacked(packages, 'mcopy'))}:${searched}` }
  const sectors = [boot.size, boot.start].map((bytes) => String(bytes / SECTOR))
  command(
    'mformat',
    [...volume, '-T', sectors[0] ?? '', '-H', sectors[1] ?? '', '-h', '64', '-s', '32', '::'],
    programs,
  )
  const files = {
    vmlinuz: fs.readFileSync(kernelIn(packages)),
    'system.gz': system,
    'syslinux.cfg': Buffer.from(bootMenu),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const source = path.join(scratch, name)
    fs.writeFileSync(source, bytes)
    command('mcopy', [...volume, source, `::${name}`], programs)
  }
  command(unpacked(packages, 'syslinux'), ['--offset', String(boot.start), '--install', disk], programs)

  // Tables that are written now are not written by the guest, in the background of its first minutes.
  const options = ['-E', `offset=${home.start},lazy_itable_init=0,lazy_journal_init=0`]
  const size = `${home.size / 1024}k`
  command('mke2fs', ['-q', '-t', 'ext4', '-L', 'home', '-N', '8192', '-m', '0', ...options, disk, size])

  const whole = `${file}.partial`
  command('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', '-c', disk, whole])
  fs.renameSync(whole, file)
}

/** @param {string} packages */
function kernelIn(packages) {
  const folder = path.join(packages, 'boot')
  const name = fs.readdirSync(folder).find((one) => one.startsWith('vmlinuz-'))
  return path.join(folder, name ?? 'vmlinuz')
}

/**
 * @param {string} disk
 * @param {Buffer} bootCode
 */
function writePartitions(disk, bootCode) {
  const first = Buffer.alloc(SECTOR)
  bootCode.copy(first)
  for (const [index, { type, isActive, start, size }] of [boot, home].entries()) {
    const at = 446 + 16 * index
    first.writeUInt8(isActive ? 0x80 : 0, at)
    first.writeUInt8(type, at + 4)
    first.writeUInt32LE(start / SECTOR, at + 8)
    first.writeUInt32LE(size / SECTOR, at + 12)
  }
  first.writeUInt16BE(0x55aa, 510)
  fs.writeFileSync(disk, first)
  fs.truncateSync(disk, DISK_BYTES)
}
