import { CannotPlug, type MachineCd, type PlugProgress } from '@gantry/control-plane/fleet/fleet'
import { z } from 'zod'
import type { CdFiles } from './cd-files.ts'
import { cdBlocks, cdBootIndex, cdDevice, cdNode, contentOfNode } from './cd-devices.ts'
import { linked, nodesOf, type PluggedMachine, unlessRefused } from './plugs.ts'
import { sets } from './places.ts'
import type { Qmp } from './qmp.ts'

/*
 * The CDs of a running machine. QEMU itself says what is in a drive, by the name of the block node, so that nothing is
 * recorded beside it, and each step can be taken again.
 */

/** The time for a guest to let its CD go, before it is taken. */
const RELEASE_MS = 1500
const EVERY_MS = 50

/** Gives a running machine these CDs in place of those that it has. */
export const setCds = (
  machine: PluggedMachine,
  cds: readonly (MachineCd | null)[],
  files: CdFiles,
): Promise<PlugProgress> =>
  machine.plugInTurn(async (): Promise<PlugProgress> => {
    const reached = await machine.connect()
    if (!reached) return 'ended'
    const { qmp } = reached
    for (const [drive, cd] of cds.entries()) {
      const is = (await drivesOf(qmp)).get(cdDevice(drive))
      if (!is) throw new CannotPlug('no_drive')
      const node = cd ? cdNode(drive, cd) : undefined
      if (is.node !== node) {
        await eject(qmp, drive, is)
        if (cd) await insert(machine, qmp, drive, cd, files)
        await qmp.run('blockdev-close-tray', { id: cdDevice(drive) })
      }
      await tryAtBoot(qmp, drive, cd?.boots === true)
    }
    return 'done'
  })

/** What is in the drives of a machine, in their order, by the ids of the bytes; undefined if it does not run. */
export async function cdsInDrives(machine: PluggedMachine): Promise<(string | null)[] | undefined> {
  const reached = await machine.connect()
  if (!reached) return undefined
  const drives = [...(await drivesOf(reached.qmp))].sort(([one], [other]) => (one < other ? -1 : 1))
  return drives.map(([, { node }]) => (node === undefined ? null : contentOfNode(node)))
}

/** Whether the firmware tries a drive with the next reset. QEMU refuses a place in the order that the drive itself has. */
async function tryAtBoot(qmp: Qmp, drive: number, boots: boolean): Promise<void> {
  for (const value of boots ? [-1, cdBootIndex(drive)] : [-1])
    await qmp.run('qom-set', {
      path: `/machine/peripheral/${cdDevice(drive)}`,
      property: 'bootindex',
      value,
    })
}

interface Drive {
  node: string | undefined
  isOpen: boolean
}

/** As with a button: a guest that has locked its drive is asked first, and then it is opened nevertheless. */
async function eject(qmp: Qmp, drive: number, { node }: Drive): Promise<void> {
  const id = cdDevice(drive)
  const isOpen = await unlessRefused(qmp.run('blockdev-open-tray', { id }))
  if (!isOpen && !(await isOpened(qmp, id))) await qmp.run('blockdev-open-tray', { id, force: true })
  if (node === undefined) return
  await qmp.run('blockdev-remove-medium', { id })
  await qmp.run('blockdev-del', { 'node-name': node })
  // A file that it inherited. It has none for CDs that it got later.
  await unlessRefused(qmp.run('remove-fd', { 'fdset-id': sets.firstCd + drive }))
}

async function insert(
  machine: PluggedMachine,
  qmp: Qmp,
  drive: number,
  cd: MachineCd,
  files: CdFiles,
): Promise<void> {
  const node = cdNode(drive, cd)
  // A process that was killed may have opened it.
  if (!(await nodesOf(qmp)).has(node))
    // The file has one group at a time, also where two machines get the same CD.
    await files.inTurn([cd.content_id], async () =>
      linked(machine, { name: node, file: await files.file(cd.content_id), isReadOnly: true }, (file) =>
        qmp.run('blockdev-add', cdBlocks(drive, cd, file)),
      ),
    )
  await qmp.run('blockdev-insert-medium', { id: cdDevice(drive), 'node-name': node })
}

async function isOpened(qmp: Qmp, id: string): Promise<boolean> {
  for (const until = performance.now() + RELEASE_MS; performance.now() < until;) {
    if ((await drivesOf(qmp)).get(id)?.isOpen) return true
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
  }
  return false
}

const blocks = z.array(
  z.object({
    qdev: z.string().optional(),
    tray_open: z.boolean().optional(),
    inserted: z.object({ 'node-name': z.string().optional() }).optional(),
  }),
)
/** The CD drives of a machine, by the names of their devices. */
async function drivesOf(qmp: Qmp): Promise<ReadonlyMap<string, Drive>> {
  const found = await qmp.ask(blocks, 'query-block')
  return new Map(
    found.flatMap(({ qdev = '', tray_open, inserted }) =>
      isDrive.test(qdev)
        ? [[qdev, { node: inserted?.['node-name'], isOpen: tray_open === true }] as const]
        : [],
    ),
  )
}
const isDrive = /^cd\d$/
