// @chunk apart: a card of the settings of an instance, below others.
import { type CpuPlatformName, cpuPlatforms, cpuPlatformWords } from '@gantry/api/compute/cpu-platform.rules'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { sideWords, useUnsavedGuard } from '#/kit/forms/UnsavedGuard.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { type Instance, instanceView } from '../queries.ts'
import { whyNotInstance } from '../reasons.ts'
import { updateInstance } from '../update.ts'

interface Props {
  project: string
  instance: string
}

type Choice = CpuPlatformName | 'any'

const choices: readonly { value: Choice; label: string }[] = [
  { value: 'any', label: 'Any' },
  ...cpuPlatforms.map((value) => ({ value, label: cpuPlatformWords[value] })),
]

/** The processor that the guest sees, where sleds are told apart by theirs. */
export function CpuPlatformCard({ project, instance: name }: Props) {
  const { data: instance } = useSuspenseQuery(instanceView(project, name))
  if (useWhyLacking('cpu_platforms')) return null
  return (
    <Card title="CPU platform">
      <PlatformForm project={project} instance={instance} />
    </Card>
  )
}

function PlatformForm({ project, instance }: { project: string; instance: Instance }) {
  const queryClient = useQueryClient()
  const [selected, setSelected] = useState<Choice>()
  const [isPending, setPending] = useState(false)
  const whyNotAllowed = useWhyNotInProject(project)
  const stored: Choice = instance.cpuPlatform ?? 'any'
  const shown = selected ?? stored
  const isDirty = shown !== stored
  const guard = useUnsavedGuard(isDirty, sideWords)

  async function save(): Promise<void> {
    setPending(true)
    try {
      const cpuPlatform = shown === 'any' ? null : shown
      await updateInstance(queryClient, { project, instance: instance.name }, { cpuPlatform })
      setSelected(undefined)
      toast.success('Instance CPU platform updated')
    } catch (error) {
      toast.error({ title: 'Could not update the CPU platform', text: failureText(asFailure(error)) })
    } finally {
      setPending(false)
    }
  }

  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field
        label="Platform"
        hint="The processor that the guest sees. Only sleds that can run it take the instance."
        className="max-w-medium"
      >
        <Select options={choices} value={shown} onChange={setSelected} disabled={isPending} />
      </Field>
      <Button
        type="submit"
        kind="primary"
        pending={isPending}
        pendingLabel="Saving"
        disabledReason={
          whyNotAllowed ??
          (isDirty
            ? whyNotInstance('resize', instance.runState) && 'The instance must be stopped first'
            : 'The platform has not been changed')
        }
      >
        Save
      </Button>
      {guard.dialog}
    </form>
  )
}
