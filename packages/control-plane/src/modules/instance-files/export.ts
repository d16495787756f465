import { sha256 } from '@noble/hashes/sha2.js'
import {
  type ExportLack,
  instanceFileDigests,
  type InstanceFileFormat,
  instanceFileName,
  instanceFileVersion,
  instanceFileWords,
} from '@gantry/api/compute/instance-file.rules'
import type { InstanceExportPlan } from '@gantry/api/compute/instance-file'
import { permits } from '../../authz/policy.ts'
import type { Cx } from '../../context/cx.ts'
import { toHex } from '../../context/ids.ts'
import { onceEach } from '../../context/once-each.ts'
import type { Services } from '../../context/services.ts'
import type { StoredTags } from '../../db/tables/column-types.ts'
import type { Row } from '../../db/tables.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { fileReply } from '../../pipeline/file-reply.ts'
import type { Reply } from '../../pipeline/implement.ts'
import { ConnectionAccess } from '../../stream/connection-access.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import { ephemeralPoolsOf } from '../instance-snapshots/settings.ts'
import { refuseUnready } from '../instance-snapshots/use.ts'
import type { Description } from './description.ts'
import { ovfOf } from './write/ovf.ts'
import { qcow2Of } from './write/qcow2.ts'
import { streamOfSpan } from './write/stream-of-span.ts'
import { type Entry, tarWithDigests, textEntry } from './write/tar.ts'
import type { DiskBytes, LaidOut } from './write/written-units.ts'
import { vmdkOf } from './write/vmdk.ts'

interface Asked extends Selectors {
  format: InstanceFileFormat
}

export async function viewExportPlan(cx: Cx, { format, ...at }: Asked): Promise<InstanceExportPlan> {
  const { snapshot } = await needExported(cx, at)
  const { file, disks } = await laidOut(cx, snapshot, format)
  return {
    file_name: fileName(snapshot, format),
    size: file.size,
    disks: snapshot.disks.map(({ name, size }, at) => ({ name, size, file_size: disks[at]?.size ?? 0 })),
    left_out: lacksOf(snapshot),
  }
}

/**
 * Sends the file as it is read: nothing of it is stored. It takes the right to create instances of the snapshot, by which
 * its bytes can be read anyway, for as long as bytes are sent.
 */
export async function downloadExport(cx: Cx, { format, ...at }: Asked): Promise<Reply> {
  const { snapshot, project } = await needExported(cx, at)
  const { file, etag } = await laidOut(cx, snapshot, format)
  const { services, raw } = cx
  const { user_id, credential } = cx.user()
  const { location } = project
  const access =
    raw &&
    credential &&
    new ConnectionAccess(services, raw, credential, (user) => permits(user, 'create_child', location))
  return fileReply(cx, {
    name: fileName(snapshot, format),
    type: 'application/x-tar',
    size: file.size,
    etag,
    read: (span) =>
      streamOfSpan(file, span, {
        turn: (work) => exportTurns(services).run({ owner: user_id, signal: raw?.signal }, work),
        mayGoOn: async () => access === undefined || access.holds(),
      }),
  })
}

/** Files that are laid out and pieces that are read at once: however many one user has, those of others come in between. */
const exportTurns = onceEach(
  (_services: Services) => new FairQueue({ atOnce: 4, atOnceEach: 2, waitingEach: 256, waiting: 4096 }),
)

/** In a turn of its user, as every part of the disks is asked for. */
const laidOut = (cx: Cx, ...of: [Row<'instance_snapshot'>, InstanceFileFormat]): Promise<ExportFile> =>
  exportTurns(cx.services).run({ owner: cx.user().user_id, signal: cx.raw?.signal }, () => fileOf(cx, ...of))

async function needExported(cx: Cx, at: Selectors) {
  const { row: snapshot } = await need(cx, 'instance_snapshot', at, 'read')
  const project = await need(cx, 'project', { project: snapshot.project_id }, 'create_child')
  refuseUnready(snapshot)
  return { snapshot, project }
}

const fileName = ({ instance_name }: Row<'instance_snapshot'>, format: InstanceFileFormat): string =>
  `${instance_name}.${instanceFileWords[format].ending}`

interface ExportFile {
  file: LaidOut
  etag: string
  /** The image of each disk. */
  disks: LaidOut[]
}

async function fileOf(
  { db, services }: Cx,
  snapshot: Row<'instance_snapshot'>,
  format: InstanceFileFormat,
): Promise<ExportFile> {
  const members = await db
    .selectFrom('snapshot')
    .select(['id', 'content_id', 'block_size', 'hardware'])
    .where('instance_snapshot_id', '=', snapshot.id)
    .where('time_deleted', 'is', null)
    .execute()
  const found = snapshot.disks.map((disk) => {
    const member = members.find(({ id }) => id === disk.snapshot_id)
    if (!member) throw new Error(`instance snapshot ${snapshot.id} lacks the snapshot of a disk`)
    return { disk, member }
  })
  const base = snapshot.instance_name
  const nameOf = (at: number): string => `${base}-disk${at + 1}.${format === 'ova' ? 'vmdk' : 'qcow2'}`
  const description: Description = {
    format: 'gantry-instance',
    version: instanceFileVersion,
    time: snapshot.time_created.toISOString(),
    name: snapshot.instance_name,
    description: snapshot.settings.description,
    hostname: snapshot.settings.hostname,
    ncpus: snapshot.settings.ncpus,
    memory: snapshot.settings.memory,
    auto_restart_policy: snapshot.settings.auto_restart_policy,
    cpu_platform: snapshot.settings.cpu_platform ?? null,
    hardware: snapshot.settings.hardware ?? null,
    disks: found.map(({ disk, member }, at) => ({
      name: disk.name,
      description: disk.description,
      file: nameOf(at),
      size: disk.size,
      block_size: member.block_size,
      is_boot: disk.is_boot,
      read_only: disk.read_only ?? false,
      hardware: member.hardware,
    })),
    network_interfaces: snapshot.settings.network_interfaces.map(
      ({ name, description, vpc, subnet, is_primary, ip_stack }) => ({
        name,
        description,
        vpc: vpc.name,
        subnet: subnet.name,
        is_primary,
        ip_stack: ip_stack ?? 'v4',
      }),
    ),
    tags: await tagsOf(db, snapshot),
  }
  const digest = sha256(new TextEncoder().encode(JSON.stringify([format, snapshot.id, description])))
  const disks: Entry[] = []
  for (const [at, { disk, member }] of found.entries()) {
    const bytes: DiskBytes = {
      size: disk.size,
      read: (offset, length) => services.blocks.read(member.content_id, offset, length),
      written: await services.blocks.written(member.content_id),
    }
    const id = new DataView(digest.buffer, digest.byteOffset).getUint32(at * 4)
    const image = format === 'ova' ? await vmdkOf(bytes, { name: nameOf(at), id }) : await qcow2Of(bytes)
    disks.push({ name: nameOf(at), ...image })
  }
  const time = snapshot.time_created
  const file =
    format === 'ova'
      ? tarWithDigests(
          [textEntry(`${base}.ovf`, ovfOf(description, { files: disks })), ...disks],
          { name: `${base}.mf`, line: (name, hex) => `SHA256(${name})= ${hex}\n` },
          time,
        )
      : tarWithDigests(
          [textEntry(instanceFileName, `${JSON.stringify(description, undefined, 2)}\n`), ...disks],
          { name: instanceFileDigests, line: (name, hex) => `${hex}  ${name}\n` },
          time,
        )
  return { file, disks, etag: `"${toHex(digest)}"` }
}

/** Those of now: snapshots keep none of their instance. */
async function tagsOf(db: Cx['db'], { instance_id }: Row<'instance_snapshot'>): Promise<StoredTags> {
  const instance = await db
    .selectFrom('instance')
    .select('tags')
    .where('id', '=', instance_id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return instance?.tags ?? {}
}

function lacksOf({ settings, user_data }: Row<'instance_snapshot'>): ExportLack[] {
  const { ssh_keys, cds, anti_affinity_groups, affinity_groups, hardware } = settings
  const has: Readonly<Record<ExportLack, boolean>> = {
    user_data: user_data !== '',
    ssh_keys: ssh_keys.length > 0,
    cds: (cds ?? []).some((image) => image !== null),
    addresses: settings.network_interfaces.length + ephemeralPoolsOf(settings).length > 0,
    groups: anti_affinity_groups.length + affinity_groups.length > 0,
    firmware_state: hardware?.firmware === 'uefi' || hardware?.tpm === true,
  }
  return (Object.keys(has) as ExportLack[]).filter((lack) => has[lack])
}
