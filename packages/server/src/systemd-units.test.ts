import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from './testing/temporary-folder.ts'

const folder = fileURLToPath(new URL('../systemd', import.meta.url))
const files = (await fs.readdir(folder)).filter((name) => /\.(service|conf)$/.test(name)).sort()
/** What operators make of them, as each says: units, and parts of units. */
const installed: Record<string, readonly string[]> = {
  'gantry.service': ['gantry.service', 'gantry@.service'],
  'gantry-machines.service': ['gantry-machines.service'],
  'gantry-machines-shutdown.service': ['gantry-machines-shutdown.service'],
  'image-conversion.conf': ['gantry.service.d/image-conversion.conf'],
  'ports.conf': ['gantry@.service.d/ports.conf'],
}
const units = Object.values(installed)
  .flat()
  .filter((place) => place.endsWith('.service'))

/** Every key that the units have, by section. A new one is added once `systemd-analyze` has accepted it. */
const known = {
  Unit: 'Description Documentation After Wants Conflicts',
  Service: `
    Type User Group StateDirectory StateDirectoryMode WorkingDirectory RemainAfterExit Environment
    EnvironmentFile ExecStart ExecStop Restart RestartSec TimeoutStopSec KillMode LimitNOFILE UMask
    NoNewPrivileges ProtectSystem ProtectHome PrivateTmp PrivateDevices ProtectClock ProtectHostname
    ProtectKernelLogs ProtectKernelModules ProtectKernelTunables ProtectControlGroups ProtectProc
    RestrictAddressFamilies RestrictNamespaces RestrictRealtime RestrictSUIDSGID LockPersonality
    CapabilityBoundingSet AmbientCapabilities SystemCallArchitectures SystemCallFilter
    SystemCallErrorNumber MemoryDenyWriteExecute`,
  Install: 'WantedBy',
}
const isKnown = ({ section, key }: { section: string; key: string }): boolean =>
  Object.entries(known).some(([name, keys]) => name === section && keys.split(/\s+/).includes(key))

/** Keys with their sections, and lines that are none. */
function keysOf(text: string): { section: string; key: string }[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    section = /^\[(.+)\]$/.exec(line)?.[1] ?? section
    return line.startsWith('[') ? [] : [{ section, key: /^(\w+)=/.exec(line)?.[1] ?? line }]
  })
}

test('every file has its place', () => expect(Object.keys(installed).sort()).toEqual(files))

test.each(files)('%s has only keys that are known in their sections', async (name) => {
  const keys = keysOf(await fs.readFile(path.join(folder, name), 'utf8'))
  expect(keys.length).toBeGreaterThan(0)
  expect(keys.filter((one) => !isKnown(one))).toEqual([])
})

test('the machines outlive a restart of their server, and are shut down before the host', async () => {
  const [machines, shutdown] = await Promise.all(
    ['gantry-machines', 'gantry-machines-shutdown'].map((name) =>
      fs.readFile(path.join(folder, `${name}.service`), 'utf8'),
    ),
  )
  expect(machines).toMatch(/^KillMode=process$/m)
  // systemd stops units in the opposite order of their start.
  expect(shutdown).toMatch(/^After=gantry-machines\.service$/m)
  expect(shutdown).not.toMatch(/^(Requires|BindsTo|PartOf)=/m)
  const wait = Number(/ fleet shut-down --wait (\d+)$/m.exec(shutdown ?? '')?.[1])
  const deadline = Number(/^TimeoutStopSec=(\d+)$/m.exec(shutdown ?? '')?.[1])
  // The deadline of the command itself is 20 seconds after that of the guests.
  expect(deadline).toBeGreaterThan(wait + 20)
})

function hasAnalyze(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!hasAnalyze())('systemd', () => {
  /** What it says about the units in a folder of their own, with the Node that runs this. */
  async function complaints(change = (text: string): string => text): Promise<string> {
    const place = await temporaryFolder()
    for (const [name, places] of Object.entries(installed)) {
      const text = await fs.readFile(path.join(folder, name), 'utf8')
      for (const one of places.map((each) => path.join(place, each))) {
        await fs.mkdir(path.dirname(one), { recursive: true })
        await fs.writeFile(one, change(text.replaceAll('/usr/bin/node', process.execPath)))
      }
    }
    const said = await Promise.all(
      units.map((unit) =>
        promisify(execFile)('systemd-analyze', ['verify', '--man=no', path.join(place, unit)], {
          env: { ...process.env, SYSTEMD_UNIT_PATH: `${place}:`, LC_ALL: 'C.UTF-8' },
        }).then(
          ({ stderr }) => stderr,
          ({ stderr, message }: Error & { stderr?: string }) => stderr ?? message,
        ),
      ),
    )
    // Units of the host itself may have faults too.
    return said
      .join('')
      .split('\n')
      .filter((line) => line.includes('gantry') || line.includes(place))
      .join('\n')
  }

  test('accepts the units with their drop-ins', async () => {
    expect(await complaints()).toBe('')
  })

  test.each([
    ['an unknown key', 'Restart=', 'Restrat=', /Restrat/],
    ['an unknown value', 'Type=exec', 'Type=exce', /exce/],
    ['a program that is not there', process.execPath, '/nowhere/node', /nowhere/],
  ])('would tell %s', async (_, from, to, expected) => {
    expect(await complaints((text) => text.replaceAll(from, to))).toMatch(expected)
  })
})
