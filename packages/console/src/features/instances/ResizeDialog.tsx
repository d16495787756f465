import { GiB } from '@gantry/api/base/bytes.rules'
import * as op from '@gantry/api/client/operations.gen'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { opQuery } from '#/data/queries.ts'
import { formatMemory, plural, truncate } from '#/ui/data/format.ts'
import { Note } from '#/ui/feedback/Note.tsx'
import { successMessage } from '#/kit/feedback/success-message.tsx'
import { NumberField } from '#/kit/forms/choice-fields.tsx'
import { DialogForm } from '#/kit/forms/DialogForm.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'
import { useVerdict, VerdictNote } from './fit/VerdictNote.tsx'
import { cpusProblem, memoryProblem } from './hardware.ts'
import { type Instance, instanceAt, instanceView } from './queries.ts'
import { isLater, updatePending } from './pending.ts'
import { whyNotInstance } from './reasons.ts'
import { updateInstance } from './update.ts'

interface Props {
  project: string
  instance: Instance
  onClose: () => void
  /** Follows the text of the toast, for a list from which the instance can be opened. */
  toastLink?: ReactNode
}

interface Values {
  ncpus: number | null
  memory: number | null
}

export function ResizeDialog({ project, instance, onClose, toastLink }: Props) {
  const queryClient = useQueryClient()
  // The state, and with it whether the action applies, can change while the dialog is open.
  const { data: current = instance } = useQuery(instanceView(project, instance.name))
  const isWaiting = useHasExtensions() && isLater(current)
  const whyNot = isWaiting ? undefined : whyNotInstance('resize', current.runState)
  /** The size that it is to have if nothing is changed here. */
  const sizeOf = ({ ncpus, memory, pending }: Instance) => ({
    ncpus: pending?.ncpus ?? ncpus,
    memory: (pending?.memory ?? memory) / GiB,
  })
  const initial: Values = sizeOf(instance)
  return (
    <DialogForm<Values, Instance>
      title="Resize instance"
      submitLabel={isWaiting ? 'Resize at next start' : 'Resize'}
      pendingLabel="Resizing"
      initial={initial}
      mode="onChange"
      whyNotYet={({ ncpus, memory }) =>
        whyNot ??
        (cpusProblem(ncpus, 'vCPUs') || memoryProblem(memory)
          ? 'Correct the sizes first'
          : ncpus === sizeOf(current).ncpus && memory === sizeOf(current).memory
            ? 'Nothing has changed yet'
            : undefined)
      }
      save={({ ncpus, memory }, send) =>
        (isWaiting ? updatePending : updateInstance)(
          queryClient,
          { project, instance: instance.name },
          { ncpus: ncpus ?? 0, memory: (memory ?? 0) * GiB },
          send,
        )
      }
      saved={({ name }) => ({
        text: successMessage('Instance', name, isWaiting ? 'is resized with its next start' : 'resized'),
        action: toastLink,
      })}
      onClose={onClose}
    >
      {whyNot ? (
        <Note kind="fail">{whyNot}</Note>
      ) : (
        <Note>
          Current (<strong>{truncate(current.name, 20)}</strong>): {current.ncpus}{' '}
          {plural('vCPU', current.ncpus)} / {formatMemory(current.memory)}
          {isWaiting && <p>It has the new size from its next start on: stop it and start it then.</p>}
        </Note>
      )}
      <fieldset disabled={whyNot !== undefined} className="space-y-4.5">
        <NumberField name="ncpus" label="vCPUs" min={1} problem={(value) => cpusProblem(value, 'vCPUs')} />
        <NumberField name="memory" label="Memory" unit="GiB" min={1} problem={memoryProblem} />
      </fieldset>
      {!whyNot && !isWaiting && <ResizeVerdict project={project} instance={current} />}
    </DialogForm>
  )
}

interface ResizeVerdictProps {
  project: string
  instance: Instance
}

const ids = (page: { items: { id: string }[] } | undefined): string[] => page?.items.map(({ id }) => id) ?? []

/** Whether the stopped instance could start in the dialog's size. */
function ResizeVerdict({ project, instance }: ResizeVerdictProps) {
  const { ncpus, memory } = useWatch<Values>() as Values
  const at = instanceAt(project, instance.name)
  const allAt = { ...at, query: { ...at.query, limit: 1000 } }
  const { data: affinity } = useQuery(opQuery(op.instanceAffinityGroupList, allAt))
  const { data: antiAffinity } = useQuery(opQuery(op.instanceAntiAffinityGroupList, allAt))
  const verdict = useVerdict(
    project,
    {
      ncpus: ncpus ?? 0,
      memory: (memory ?? 0) * GiB,
      ...(instance.cpuPlatform && { cpuPlatform: instance.cpuPlatform }),
      affinityGroups: ids(affinity),
      antiAffinityGroups: ids(antiAffinity),
    },
    { storage: 0, start: false },
  )
  return <VerdictNote verdict={verdict} />
}
