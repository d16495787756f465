// @chunk instance-settings: of one tab, which the other tabs of an instance do not need.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { sideWords, useUnsavedGuard } from '#/kit/forms/UnsavedGuard.tsx'
import { Button } from '#/ui/Button.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { Select } from '#/ui/inputs/Select.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import type { Instance } from '../queries.ts'
import { updateInstance } from '../update.ts'

interface Props<Choice extends string> {
  project: string
  instance: Instance
  /** As in "the CPU platform". */
  noun: string
  label: string
  hint: string
  choices: readonly { value: Choice; label: string }[]
  stored: Choice
  changeTo: (choice: Choice) => Parameters<typeof updateInstance>[2]
  /** Why it cannot change in this state of the instance. */
  whyNot?: string | undefined
}

/** One setting of an instance, with a button that saves it. */
export function SettingForm<Choice extends string>(props: Props<Choice>) {
  const { project, instance, noun, label, hint, choices, stored, changeTo, whyNot } = props
  const queryClient = useQueryClient()
  const [selected, setSelected] = useState<Choice>()
  const [isPending, setPending] = useState(false)
  const whyNotAllowed = useWhyNotInProject(project)
  const shown = selected ?? stored
  const isDirty = shown !== stored
  const guard = useUnsavedGuard(isDirty, sideWords)

  async function save(): Promise<void> {
    setPending(true)
    try {
      await updateInstance(queryClient, { project, instance: instance.name }, changeTo(shown))
      setSelected(undefined)
      toast.success(`Instance ${noun} updated`)
    } catch (error) {
      toast.error({ title: `Could not update the ${noun}`, text: failureText(asFailure(error)) })
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
      <Field label={label} hint={hint} className="max-w-medium">
        <Select options={choices} value={shown} onChange={setSelected} disabled={isPending} />
      </Field>
      <Button
        type="submit"
        kind="primary"
        pending={isPending}
        pendingLabel="Saving"
        disabledReason={
          whyNotAllowed ?? (isDirty ? whyNot : `The ${label.toLowerCase()} has not been changed`)
        }
      >
        Save
      </Button>
      {guard.dialog}
    </form>
  )
}
