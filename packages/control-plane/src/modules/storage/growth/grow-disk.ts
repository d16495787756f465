import { allows } from '@gantry/api/base/state.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { diskAllows, growthProblem, whyNever } from '@gantry/api/storage/disk.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { z } from 'zod'
import { change } from '@gantry/control-plane/change/change'
import { defineJob } from '@gantry/control-plane/change/define-job'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, invalid, invalidValue, unavailable } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { chargeLast } from '../../silo/quota.ts'
import { makingOf } from '../content.ts'

/** Grows the bytes of a disk after its record, also under a machine. A start of its instance grows them, too, if it comes first. */
export const diskGrowth = defineJob(
  'disk-growth',
  z.object({ content_id: z.string(), size: z.number() }),
  async ({ services }, { content_id, size }) => {
    // Deleted meanwhile, it has nothing to grow.
    if ((await services.fleet.volumes.size(content_id)) === undefined) return
    await services.fleet.volumes.grow(content_id, size)
  },
  { maxAttempts: 30 },
)

/** A disk only grows, because its guest may have written to its end. */
export async function growDisk(
  cx: Cx,
  { path, query, body: { size } }: Input<'diskGrow'>,
): Promise<Row<'disk'>> {
  const found = await need(cx, 'disk', { ...path, ...query }, 'modify')
  if (await makingOf(cx.db, found.row.id))
    throw unavailable('The disk is still being created. Try again once it is ready.')
  const { instance_id } = found.row
  const { disk, job } = await change(cx, found.scope, async (tx) => {
    // As where disks are attached: the instance is locked before its disk.
    const instance = instance_id === null ? undefined : await tx.lockById('instance', instance_id)
    const disk = await tx.lock('disk', found.row)
    if (disk.instance_id !== instance_id)
      throw conflict('the disk was attached or detached meanwhile', 'Try again.')
    const never = whyNever('grow', disk)
    if (never) throw invalid(`a ${disk.read_only ? 'read-only' : 'local'} disk cannot grow`, `${never}.`)
    if (!allows(diskAllows, 'grow', disk.state))
      throw invalid(`disk cannot grow in state "${disk.state}"`, 'Wait until it is attached or detached.')
    if (instance && hasMachine(instance.run_state)) needCapability(cx.services.fleet, 'live_growth')
    if (instance && !allows(instanceAllows, 'growDisk', instance.run_state))
      throw invalid(
        `disk cannot grow while instance ${instance.name} is ${instance.run_state}`,
        'Wait until it runs or is stopped.',
      )
    const problem = growthProblem(size, disk)
    if (problem) throw invalidValue(problem.label, problem.reason)
    chargeLast(
      tx,
      { silo_id: found.scope.silo_id ?? '', project_id: disk.project_id },
      { storage: size - disk.size },
    )
    const grown = await tx.update('disk', disk, { size })
    return {
      disk: grown,
      job: await tx.takeJob(await tx.job(diskGrowth, { content_id: disk.content_id, size })),
    }
  })
  await cx.services.runJob(job)
  return disk
}
