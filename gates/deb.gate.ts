import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../packages/control-plane/src/testing/control-plane.ts'
import { packDeb, whyNoDeb } from '../tools/lib/package-deb.mjs'

const run = promisify(execFile)
const missing =
  whyNoDeb() || (process.getuid?.() === 0 ? '' : 'it needs root') || (canMount() ? '' : 'it needs overlayfs')
if (missing) console.warn(`skipped: the package of Debian, ${missing}`)

/** Mounts of a namespace of their own; containers may forbid them. */
function canMount(): boolean {
  const script =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w /mnt/m && mount -t overlay o -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/m'
  try {
    execFileSync('unshare', ['--mount', 'sh', '-ec', script], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

// In a root of its own: this system with everything that is written going elsewhere. Its systemctl only notes what it is told.
describe.skipIf(missing)('the package of Debian', () => {
  let folder: string
  let first: string
  let second: string
  let holder: ChildProcess
  let inside: readonly string[] = []
  const password = 'pebble-quarry-lamp'

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-deb-'))
    first = await packDeb(folder, { compression: 'none' })
    second = await later(first)
    const script = `mount -t tmpfs t ${folder}
mkdir ${folder}/u ${folder}/w ${folder}/m
mount -t overlay o -o lowerdir=/,upperdir=${folder}/u,workdir=${folder}/w ${folder}/m
mount --rbind /proc ${folder}/m/proc
mount --rbind /dev ${folder}/m/dev
mount -t tmpfs t ${folder}/m/run
echo ready
exec sleep 3600`
    // The packages are in the folder that the mount covers: they are read through the file system below.
    await fs.mkdir(`${folder}.packages`)
    first = await moved(first)
    second = await moved(second)
    holder = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-ec', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout ?? holder, 'data')
    inside = ['nsenter', `--target=${holder.pid}`, '--mount', '--', 'chroot', `${folder}/m`]
    await sh('dpkg --purge gantry >/dev/null 2>&1; rm -rf /var/lib/gantry /etc/gantry')
    await sh(`mkdir -p /run/systemd/system && printf '#!/bin/sh\\necho "$@" >>/run/told\\n' >/usr/bin/systemctl.new
      chmod 755 /usr/bin/systemctl.new && mv /usr/bin/systemctl.new /usr/bin/systemctl`)
  })
  afterAll(async () => {
    holder.kill('SIGKILL')
    for (const each of [folder, `${folder}.packages`]) await fs.rm(each, { recursive: true, force: true })
  })

  /** The same package as of a later version. */
  async function later(file: string): Promise<string> {
    const tree = path.join(folder, 'later')
    await run('dpkg-deb', ['--raw-extract', file, tree])
    const control = path.join(tree, 'DEBIAN/control')
    const text = await fs.readFile(control, 'utf8')
    await fs.writeFile(control, text.replace(/^Version: .*$/m, '$&+later'))
    const to = path.join(folder, 'later.deb')
    await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, to])
    await fs.rm(tree, { recursive: true })
    return to
  }
  async function moved(file: string): Promise<string> {
    const to = path.join(`${folder}.packages`, path.basename(file))
    await fs.rename(file, to)
    return to
  }
  async function sh(script: string): Promise<string> {
    const [program, ...words] = [...inside, 'sh', '-c', script]
    const { stdout, stderr } = await run(program, words, { env: { PATH: process.env['PATH'] ?? '' } })
    return stdout + stderr
  }
  const told = async (): Promise<string[]> => {
    const text = await sh('cat /run/told 2>/dev/null; rm -f /run/told')
    return text.split('\n').filter(Boolean)
  }

  /** Starts the server as its unit says, and stops it after the work. */
  async function served(work: (address: string) => Promise<void>): Promise<void> {
    const unit = await sh('cat /usr/lib/systemd/system/gantry.service')
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
    const state = `/var/lib/${value('StateDirectory')}`
    await sh(`install -d -o ${value('User')} -g ${value('Group')} -m ${value('StateDirectoryMode')} ${state}`)
    const command = `. ${value('EnvironmentFile').replace('-', '')} && cd ${value('WorkingDirectory')} && exec \
      setpriv --reuid=${value('User')} --regid=${value('Group')} --init-groups --no-new-privs -- \
      env -i ${value('Environment')} GANTRY_DEMO_PASSWORD=${password} ${value('ExecStart')} --port 0`
    const [program, ...words] = [...inside, 'sh', '-c', command]
    const server = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => (output += bytes))
    const ended = once(server, 'exit')
    const ready = /^ready (http:\S+)$/m
    await eventually(
      async () => output,
      (text) => ready.test(text) || server.exitCode !== null,
      60_000,
    )
    try {
      const address = ready.exec(output)?.[1]
      if (address === undefined) throw new Error(`The server did not start:\n${output}`)
      await work(address)
    } finally {
      server.kill('SIGTERM')
      await ended
    }
  }
  const signIn = (address: string) =>
    fetch(`${address}/v1/login/recovery/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address },
      body: JSON.stringify({ username: 'recovery', password }),
    })

  test('is installed without questions, with a user, units and commands', async () => {
    const said = await sh(`DEBIAN_FRONTEND=noninteractive dpkg --install ${first} </dev/null`)
    expect(said).toContain('systemctl enable --now gantry-machines gantry-machines-shutdown')
    expect(await sh('getent passwd gantry')).toMatch(/^gantry:.*:\/var\/lib\/gantry:\/usr\/sbin\/nologin$/m)
    expect(await sh('stat -c "%U %a" /etc/gantry/gantry.env')).toBe('root 600\n')
    expect(await sh('gantry --version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await told()).toEqual(['daemon-reload'])
    for (const unit of ['gantry', 'gantry-machines', 'gantry-machines-shutdown'])
      expect(
        await sh(
          `systemd-analyze verify --man=no /usr/lib/systemd/system/${unit}.service 2>&1 | grep gantry || true`,
        ),
      ).toBe('')
  })

  test('serves as its unit says, as its own user', async () => {
    await served(async (address) => {
      expect((await signIn(address)).status).toBe(204)
      expect((await fetch(`${address}/`)).status).toBe(200)
    })
    expect(await sh('stat -c "%U %a" /var/lib/gantry')).toBe('gantry 700\n')
    expect(await sh("as-gantry sh -c 'gantry doctor --json $GANTRY_OPTIONS || true'")).toContain('"ok"')
  })

  test('is upgraded: data and configuration stay, and running services restart', async () => {
    await sh('echo "# mine" >>/etc/gantry/gantry.env')
    const said = await sh(`DEBIAN_FRONTEND=noninteractive dpkg --install ${second} </dev/null`)
    expect(said).not.toContain('enable --now')
    expect(await told()).toEqual(['daemon-reload', 'try-restart gantry.service gantry-machines.service'])
    expect(await sh("dpkg-query --show --showformat='${Version}' gantry")).toMatch(/\+later$/)
    expect(await sh('cat /etc/gantry/gantry.env')).toContain('# mine')
    await served(async (address) => expect((await signIn(address)).status).toBe(204))
  })

  test('is removed without its data, and purged with them', async () => {
    const removed = await sh('dpkg --remove gantry')
    expect(removed).toContain('The data of Gantry stay in /var/lib/gantry. To delete them: apt purge gantry')
    expect(await told()).toEqual([
      'disable --now gantry-machines-shutdown.service',
      'disable --now gantry-machines.service gantry.service',
      'daemon-reload',
    ])
    expect(await sh('ls /var/lib/gantry')).toContain('database')
    expect(await sh('ls /usr/lib/gantry 2>&1 || true')).toContain('No such file')
    const purged = await sh('dpkg --purge gantry')
    expect(purged).toContain('Deleting the data of Gantry: /var/lib/gantry')
    expect(await sh('ls -d /var/lib/gantry /etc/gantry 2>&1 || true')).not.toMatch(/^\/(var|etc)/m)
    expect(await sh('getent passwd gantry || echo none')).toBe('none\n')
  })
})
