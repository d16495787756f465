import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from './builds.mjs'
import { packGantry } from './package.mjs'

const run = promisify(execFile)
const sources = path.join(root, 'tools/deb')
/** Of Node, which npm brings (docs/decisions/0028-a-package-of-debian.md). */
const NODE = 24
const home = 'usr/lib/gantry'
const units = 'usr/lib/systemd/system'

/** What the server needs, and what it uses if it is there: `gantry doctor` names them. */
export const debianPackages = {
  needed: ['passwd', 'libc6 (>= 2.28)', 'libstdc++6', 'util-linux'],
  used: [
    'bubblewrap',
    'bzip2',
    'dnsmasq-base',
    'iproute2',
    'lz4',
    'nftables',
    'ovmf',
    'qemu-system-x86',
    'qemu-utils',
    'swtpm',
    'xz-utils',
    'zstd',
  ],
  suggested: ['passt', 'postgresql'],
}

/** Why no package of Debian can be written on this host; empty if one can. */
export function whyNoDeb() {
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    return 'A package of Debian is written on Linux, on an amd64 or arm64 processor.'
  return searched.some((folder) => existsSync(path.join(folder, 'dpkg-deb')))
    ? ''
    : 'A package of Debian is written by dpkg-deb, which this host lacks. Run: apt install dpkg'
}
const searched = (process.env.PATH ?? '').split(':')

/**
 * Writes `gantry_<version>_<architecture>.deb`: the server with its libraries and a Node of its own, its units, and its
 * configuration.
 * @param {string} outDir
 * @param {{ compression?: 'xz' | 'none' }} [options] Tests save the minute that `xz` takes.
 * @returns {Promise<string>} The file.
 */
export async function packDeb(outDir, { compression = 'xz' } = {}) {
  const staging = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-deb-'))
  try {
    const tree = path.join(staging, 'tree')
    const at = (/** @type {string[]} */ ...parts) => path.join(tree, ...parts)
    const packed = await packGantry(path.join(staging, 'packed'))
    for (const folder of [
      'DEBIAN',
      `${home}/bin`,
      units,
      'usr/bin',
      'usr/sbin',
      'etc/gantry',
      'usr/share/doc/gantry',
    ])
      await fs.mkdir(at(folder), { recursive: true })
    // Scripts of packages would build for this host, and none of them is needed.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    await run('npm', ['install', '--prefix', at(home), ...options, packed], { cwd: staging })
    for (const note of ['package.json', 'node_modules/.package-lock.json', 'node_modules/.bin'])
      await fs.rm(at(home, note), { recursive: true, force: true })
    await fs.copyFile(await nodeProgram(), at(home, 'bin/node'))
    const server = at(home, 'node_modules/gantry/server')
    for (const unit of (await fs.readdir(path.join(server, 'systemd'))).filter((name) =>
      name.endsWith('.service'),
    ))
      await fs.writeFile(
        at(units, unit),
        moved(await fs.readFile(path.join(server, 'systemd', unit), 'utf8')),
      )
    const dropIns = at(units, 'gantry.service.d')
    await fs.mkdir(dropIns)
    await fs.copyFile(
      path.join(server, 'systemd/image-conversion.conf'),
      path.join(dropIns, 'image-conversion.conf'),
    )
    await fs.copyFile(path.join(server, 'systemd/as-gantry'), at('usr/sbin/as-gantry'))
    await fs.copyFile(path.join(sources, 'gantry'), at('usr/bin/gantry'))
    await fs.copyFile(path.join(sources, 'gantry.env'), at('etc/gantry/gantry.env'))
    await fs.copyFile(path.join(root, 'LICENSE'), at('usr/share/doc/gantry/copyright'))
    for (const script of ['postinst', 'prerm', 'postrm'])
      await fs.copyFile(path.join(sources, script), at('DEBIAN', script))
    await fs.writeFile(at('DEBIAN/conffiles'), '/etc/gantry/gantry.env\n')
    await setModes(tree)
    const { version } = JSON.parse(await fs.readFile(path.join(root, 'packages/server/package.json'), 'utf8'))
    await fs.writeFile(at('DEBIAN/control'), control(version, await sizeOf(tree)))
    await fs.mkdir(outDir, { recursive: true })
    const file = path.join(path.resolve(outDir), `gantry_${version}_${architecture}.deb`)
    await run('dpkg-deb', [
      '--root-owner-group',
      `-Z${compression}`,
      ...(compression === 'xz' ? ['-z3'] : []),
      '--build',
      tree,
      file,
    ])
    return file
  } finally {
    await fs.rm(staging, { recursive: true, force: true })
  }
}

const architecture = process.arch === 'x64' ? 'amd64' : process.arch

/** The units name the places of an installation by npm. */
const moved = (/** @type {string} */ unit) =>
  unit
    .replaceAll('/opt/gantry/node_modules', `/${home}/node_modules`)
    .replaceAll('/usr/bin/node', `/${home}/bin/node`)

async function nodeProgram() {
  const command = ['exec', '--yes', `--package=node@${NODE}`, '--', 'node', '-p', 'process.execPath']
  const { stdout } = await run('npm', command, { cwd: os.tmpdir() })
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** Every user may read everything; only the configuration is for root alone. */
async function setModes(/** @type {string} */ tree) {
  const programs =
    /^(DEBIAN\/(postinst|prerm|postrm)|usr\/bin\/.*|usr\/sbin\/.*|usr\/lib\/gantry\/bin\/node)$/
  for (const name of ['', ...(await fs.readdir(tree, { recursive: true }))]) {
    const file = path.join(tree, name)
    const stat = await fs.lstat(file)
    if (stat.isSymbolicLink()) continue
    await fs.chmod(file, stat.isDirectory() || programs.test(name) ? 0o755 : 0o644)
  }
  await fs.chmod(path.join(tree, 'etc/gantry/gantry.env'), 0o600)
}

/** In KiB. */
async function sizeOf(/** @type {string} */ tree) {
  let bytes = 0
  for (const name of await fs.readdir(tree, { recursive: true }))
    bytes += (await fs.lstat(path.join(tree, name))).size
  return Math.ceil(bytes / 1024)
}

/**
 * @param {string} version
 * @param {number} size
 */
const control = (version, size) => `Package: gantry
Version: ${version}
Architecture: ${architecture}
Maintainer: Gantry <gantry@localhost>
Section: admin
Priority: optional
Installed-Size: ${size}
Depends: ${debianPackages.needed.join(', ')}
Recommends: ${debianPackages.used.join(', ')}
Suggests: ${debianPackages.suggested.join(', ')}
Description: console and control plane of a private cloud
 The server with its web console, its API, an embedded database and the
 commands to maintain it, on a simulated rack or with real machines by QEMU.
`
