import type { InstancePending } from '@gantry/api/compute/instance'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import { allows } from '@gantry/api/base/state.rules'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict } from '@gantry/control-plane/context/refusal'
import type { Patch, Row } from '@gantry/control-plane/db/tables'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { refuseHardware } from '../instances/create.ts'
import { given, isSameChoice, storedChoice } from '../hardware/choice.ts'
import { refuseChoice } from '../hardware/refuse-choice.ts'
import { hardwareOfInstance } from '../machines/firmware.ts'

type Instance = Row<'instance'>

/** Sets what changes with the next start. While an instance is stopped, its settings are changed, and this only takes back. */
export async function updatePending(
  cx: Cx,
  { path, query, body }: Input<'instancePendingUpdate'>,
): Promise<Instance> {
  const found = await need(cx, 'instance', { ...path, ...query }, 'modify')
  refuseHardware(body.ncpus ?? found.row.ncpus, body.memory ?? found.row.memory)
  const disk = body.boot_disk ? await diskOf(cx, found.row, body.boot_disk) : undefined
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', found.row)
    if (disk) {
      const boot = await tx.lockById('disk', disk)
      if (boot.instance_id !== instance.id || boot.state === 'detaching')
        throw conflict('boot disk must be attached', 'Attach the disk first.')
    }
    const hardware = body.hardware == null ? undefined : given(body.hardware)
    if (hardware) refuseChoice(cx, hardware, await hardwareOfInstance(tx.read, { ...instance, hardware }))
    const wanted = { ncpus: body.ncpus, memory: body.memory, boot_disk_id: disk, hardware }
    const pending = differing(instance, wanted)
    const isNew = pendingFields.some(
      (field) =>
        (pending[field] ?? null) !== null &&
        JSON.stringify(pending[field]) !== JSON.stringify(instance.pending?.[field]),
    )
    if (isNew && !allows(instanceAllows, 'changeLater', instance.run_state))
      throw conflict(
        `instance ${instance.name} is ${instance.run_state}, so that nothing has to wait for its next start`,
        'Change its settings.',
      )
    return tx.update('instance', instance, { pending: storedPending(pending) }, { touch: false })
  })
}

async function diskOf(cx: Cx, instance: Instance, selector: string): Promise<string> {
  const at = isUuid(selector) ? { disk: selector } : { disk: selector, project: instance.project_id }
  return (await need(cx, 'disk', at, 'modify')).row.id
}

const pendingFields = ['ncpus', 'memory', 'boot_disk_id', 'hardware'] as const

type Settings = Pick<Instance, 'ncpus' | 'memory' | 'boot_disk_id' | 'hardware'>

/** What of the wanted settings the instance does not have. */
const differing = (
  instance: Settings,
  { ncpus, memory, boot_disk_id, hardware }: InstancePending,
): InstancePending => ({
  ...(ncpus != null && ncpus !== instance.ncpus && { ncpus }),
  ...(memory != null && memory !== instance.memory && { memory }),
  ...(boot_disk_id != null && boot_disk_id !== instance.boot_disk_id && { boot_disk_id }),
  ...(hardware != null && !isSameChoice(hardware, instance.hardware) && { hardware }),
})

export const storedPending = (pending: InstancePending): string | null => {
  const wanted = Object.entries(pending).filter(([, value]) => value != null)
  return wanted.length === 0 ? null : JSON.stringify(Object.fromEntries(wanted))
}

/** The settings of a start, with what was to wait for it. A disk that was detached meanwhile does not become the boot disk. */
export async function settingsOfStart(tx: Change, instance: Instance): Promise<Patch<'instance'>> {
  if (!instance.pending) return {}
  const { boot_disk_id, ...others } = instance.pending
  const disk =
    boot_disk_id == null ? undefined : await tx.lockById('disk', boot_disk_id).catch(ignoreNotFound)
  const { ncpus, memory, hardware } = differing(instance, others)
  return {
    ...(ncpus != null && { ncpus }),
    ...(memory != null && { memory }),
    ...(disk?.instance_id === instance.id && { boot_disk_id: disk.id }),
    ...(hardware && { hardware: storedChoice(hardware) }),
    pending: null,
  }
}

/** What still waits for the next start once a stopped instance has these settings. */
export function stillPending(instance: Instance, changed: Partial<Settings>): Patch<'instance'> {
  if (!instance.pending) return {}
  const next = { ...instance, ...changed }
  const { ncpus, memory, boot_disk_id, hardware } = instance.pending
  return {
    pending: storedPending(
      differing(next, {
        // What is set now replaces what was to be.
        ncpus: next.ncpus === instance.ncpus ? ncpus : undefined,
        memory: next.memory === instance.memory ? memory : undefined,
        boot_disk_id: next.boot_disk_id === instance.boot_disk_id ? boot_disk_id : undefined,
        hardware: isSameChoice(next.hardware, instance.hardware) ? hardware : undefined,
      }),
    ),
  }
}
