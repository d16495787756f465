import { allows } from '@gantry/api/base/state.rules'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict } from '@gantry/control-plane/context/refusal'
import type { Row } from '@gantry/control-plane/db/tables'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { refuseChoice } from './refuse-choice.ts'
import { hardwareOfInstance } from '../machines/firmware.ts'
import { given, isSameChoice, storedChoice } from './choice.ts'
import { stillPending, storedPending } from '../pending/pending.ts'

type Instance = Row<'instance'>

/** Takes effect with the next start: at once in the records of a stopped instance, and among what waits for it otherwise. */
export async function updateInstanceHardware(
  cx: Cx,
  { path, query, body }: Input<'instanceHardwareUpdate'>,
): Promise<Instance> {
  const found = await need(cx, 'instance', { ...path, ...query }, 'modify')
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', found.row)
    const chosen = given(body.chosen)
    const isLater = allows(instanceAllows, 'changeLater', instance.run_state)
    if (!isLater && !allows(instanceAllows, 'resize', instance.run_state))
      throw conflict(
        `instance ${instance.name} is ${instance.run_state}, so that its hardware cannot change`,
        'Wait until it runs or is stopped.',
      )
    refuseChoice(cx, chosen, await hardwareOfInstance(tx.read, { ...instance, hardware: chosen }))
    const next = isLater
      ? {
          pending: storedPending({
            ...instance.pending,
            hardware: isSameChoice(instance.hardware, chosen) ? null : chosen,
          }),
        }
      : { hardware: storedChoice(chosen), ...stillPending(instance, { ...instance, hardware: chosen }) }
    return tx.update('instance', instance, next, { touch: false })
  })
}
