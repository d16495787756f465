import fs from 'node:fs'
import path from 'node:path'
import { command, searched } from './command.mjs'

/** What the host itself must have. All else is downloaded, and installed nowhere. */
const programs = [
  { program: 'apt-get', debian: 'apt' },
  { program: 'apt-cache', debian: 'apt' },
  { program: 'dpkg-deb', debian: 'dpkg' },
  { program: 'mke2fs', debian: 'e2fsprogs' },
  { program: 'qemu-img', debian: 'qemu-utils' },
]

/** The kernel's package depends on the newest version, whose name has the version in it. */
const KERNEL = 'linux-image-cloud-amd64'
const tools = ['busybox-static', 'mtools', 'syslinux', 'syslinux-common']
const SERVER = 'dropbear-bin'
const AGENT = 'qemu-guest-agent'

/**
 * Why the image cannot be built on this host; empty if it can.
 * @param {(program: string) => boolean} [isThere]
 * @param {(name: string) => string} [known] What apt knows about a package.
 */
export function whyNotHere(isThere = isInstalled, known = (name) => command('apt-cache', ['policy', name])) {
  const missing = programs.filter(({ program }) => !isThere(program))
  const packages = [...new Set(missing.map(({ debian }) => debian))]
  if (packages.includes('apt') || packages.includes('dpkg'))
    return 'The demo image is built from packages of Debian, with its programs apt-get and dpkg-deb. This host has none.'
  if (packages.length > 0) return `Programs are missing. Run: apt install ${packages.join(' ')}`
  const unknown = [KERNEL, ...tools, SERVER, AGENT].filter((name) => !/Candidate: [^(]/.test(known(name)))
  if (unknown.length > 0)
    return `apt does not know ${unknown.join(', ')}. Run apt update; the demo image is built on Debian on an amd64 processor.`
  return ''
}

/** @param {string} program */
const isInstalled = (program) =>
  searched.split(':').some((folder) => fs.existsSync(path.join(folder, program)))

/**
 * Downloads the packages that the cache lacks, and unpacks all into a folder.
 * @param {{ cache: string, folder: string }} at
 */
export function unpackPackages({ cache, folder }) {
  const programs = [SERVER, AGENT].flatMap((name) => [name, ...dependencies(name, ['--recurse'])])
  const names = [...tools, ...dependencies(KERNEL, []), ...programs.filter(isRunWith)]
  const files = fileNames(names)
  fs.mkdirSync(cache, { recursive: true })
  const missing = files.filter(({ file }) => !fs.existsSync(path.join(cache, file)))
  if (missing.length > 0) download(missing, cache)
  for (const { file } of files) command('dpkg-deb', ['--extract', path.join(cache, file), folder])
}

/**
 * @param {string} name
 * @param {readonly string[]} options
 */
function dependencies(name, options) {
  const without = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances']
  const text = command('apt-cache', ['depends', ...options, ...without.map((kind) => `--no-${kind}`), name])
  return [...text.matchAll(/^ +Depends: (\S+)$/gm)].map(([, found = '']) => found)
}

/**
 * Programs and the libraries that they load, without what only their installation runs.
 * @param {string} name
 */
const isRunWith = (name) => [SERVER, AGENT].includes(name) || (/^z?lib/.test(name) && !name.includes('perl'))

/** @param {readonly string[]} names */
function fileNames(names) {
  const text = command('apt-get', ['download', '--print-uris', ...new Set(names)])
  return [...text.matchAll(/^'(\S+)' (\S+) /gm)].map(([, uri = '', file = '']) => ({ uri, file }))
}

/**
 * @param {readonly { uri: string, file: string }[]} missing
 * @param {string} cache
 */
function download(missing, cache) {
  process.stdout.write(`Downloading ${missing.length} packages.\n`)
  const partial = fs.mkdtempSync(path.join(cache, 'partial-'))
  try {
    const names = missing.map(({ file }) => file.split('_')[0] ?? '')
    command('apt-get', ['download', '--quiet', ...names], { cwd: partial })
    // Moved when whole, so that an interrupted download is not taken for a package.
    for (const { file } of missing) fs.renameSync(path.join(partial, file), path.join(cache, file))
  } finally {
    fs.rmSync(partial, { recursive: true })
  }
}

/**
 * The file of a name below an unpacked folder; the places differ between versions of Debian.
 * @param {string} folder
 * @param {string} name
 */
export function unpacked(folder, name) {
  const found = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === name)
    .map((file) => path.join(folder, file))
    .find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile())
  if (!found) throw new Error(`Debian's packages contain no file ${name}.`)
  return found
}
