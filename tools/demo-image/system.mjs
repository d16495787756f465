import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { command } from './command.mjs'
import { unpacked } from './debian.mjs'

const guest = fileURLToPath(new URL('guest', import.meta.url))

/**
 * The system that the kernel unpacks into memory at its start, as a compressed archive: BusyBox, Dropbear and the guest agent
 * with their libraries, the kernel modules that a virtual machine needs, and the files of `guest/`.
 * @param {string} packages
 * @param {string} folder
 */
export function packSystem(packages, folder) {
  const busybox = unpacked(packages, 'busybox')
  for (const name of ['dev', 'proc', 'sys', 'root', 'usr/sbin'])
    fs.mkdirSync(path.join(folder, name), { recursive: true })
  fs.cpSync(guest, folder, { recursive: true })
  addBusybox(busybox, folder)
  for (const name of ['dropbear', 'dropbearkey', 'qemu-ga'])
    addProgram(unpacked(packages, name), packages, folder)
  addModules(busybox, packages, folder)

  const names = ['.', ...fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()]
  const archive = command(busybox, ['cpio', '-o', '-H', 'newc', '-R', '0:0'], {
    cwd: folder,
    input: names.join('\n'),
    encoding: 'latin1',
  })
  return gzipSync(Buffer.from(archive, 'latin1'), { level: 9 })
}

/**
 * @param {string} busybox
 * @param {string} folder
 */
function addBusybox(busybox, folder) {
  // The kernel starts /init.
  const links = ['init', ...command(busybox, ['--list-full']).split('\n').filter(Boolean)]
  for (const link of links) {
    const file = path.join(folder, link)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.symlinkSync('/bin/busybox', file)
  }
  // It lists itself too.
  fs.rmSync(path.join(folder, 'bin/busybox'))
  copy(busybox, path.join(folder, 'bin/busybox'))
}

/**
 * A program with the libraries that its loader names.
 * @param {string} program
 * @param {string} packages
 * @param {string} folder
 */
function addProgram(program, packages, folder) {
  const loader = unpacked(packages, 'ld-linux-x86-64.so.2')
  const places = libraryFolders(packages)
  const libraries = command(loader, ['--library-path', places.join(':'), '--list', program])
  copy(program, path.join(folder, 'usr/sbin', path.basename(program)))
  copy(loader, path.join(folder, 'lib64', path.basename(loader)))
  for (const [, name = '', file = ''] of libraries.matchAll(/^\s*(\S+) => (\S+)/gm)) {
    if (!file.startsWith(packages))
      throw new Error(`The packages lack ${name} for ${program}; the loader found ${file} of this host.`)
    copy(file, path.join(folder, 'lib/x86_64-linux-gnu', path.basename(name)))
  }
}

/**
 * The folders that hold libraries. Debian's older packages have theirs in `lib`, newer ones in `usr/lib`.
 * @param {string} packages
 */
function libraryFolders(packages) {
  const files = fs.readdirSync(packages, { recursive: true, encoding: 'utf8' })
  const folders = files.filter((file) => /\.so(\.\d+)*$/.test(file)).map((file) => path.dirname(file))
  return [...new Set(folders)].map((each) => path.join(packages, each))
}

/**
 * The modules of /etc/modules and those that they depend on. What is built into the kernel has no file.
 * @param {string} busybox
 * @param {string} packages
 * @param {string} folder
 */
function addModules(busybox, packages, folder) {
  const modules = path.dirname(unpacked(packages, 'modules.builtin'))
  const version = path.basename(modules)
  const base = path.resolve(modules, '../../..')
  const depmod = (/** @type {string} */ at) => command(busybox, ['depmod', '-b', at, version])
  depmod(base)
  const dependencies = new Map(
    fs
      .readFileSync(path.join(modules, 'modules.dep'), 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([file = '', others = '']) => [file, others.split(' ').filter(Boolean)]),
  )
  const wanted = new Set(fs.readFileSync(path.join(guest, 'etc/modules'), 'utf8').trim().split('\n'))
  const target = path.join(folder, 'lib/modules', version)
  fs.mkdirSync(target, { recursive: true })
  for (const [file, others] of dependencies)
    if (wanted.has(path.basename(file).replace(/\.ko.*$/, '')))
      for (const one of [file, ...others]) copy(path.join(modules, one), path.join(target, one))
  for (const list of ['modules.builtin', 'modules.order'])
    copy(path.join(modules, list), path.join(target, list))
  depmod(folder)
}

/**
 * @param {string} from
 * @param {string} to
 */
function copy(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true })
  fs.copyFileSync(from, to)
}
