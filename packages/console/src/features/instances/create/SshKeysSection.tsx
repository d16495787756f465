import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Checkbox } from '#/ui/inputs/Checkbox.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { allSshKeys } from '#/features/ssh-keys/queries.ts'
import { FormSection } from './FormSection.tsx'
import { sshKeysProblem } from './problems.ts'
import { useChosen } from './use-chosen.ts'

const SshKeyForm = lazyPart(() => import('#/features/ssh-keys/SshKeyForm.tsx'), 'SshKeyForm')

export function SshKeysSection() {
  const { data: keys } = useSuspenseQuery(allSshKeys)
  const ids = keys.map(({ id }) => id)
  const { value, onChange, error } = useChosen('sshKeys', ids, sshKeysProblem)
  const [isAdding, setAdding] = useState(false)
  const isAll = value.length === keys.length

  return (
    <FormSection title="Authentication" hint="Your SSH keys are managed in the user settings.">
      {keys.length === 0 ? (
        <div className="rounded-control border border-dashed border-control-line px-4 py-6 text-center">
          <h3 className="text-base">No SSH keys</h3>
          <p className="mb-3 text-sm text-muted">Add a key to sign in to the instance over SSH.</p>
          <Button onClick={() => setAdding(true)}>Add SSH key</Button>
        </div>
      ) : (
        <Field group label="SSH keys" error={error}>
          <div role="group" aria-label="SSH keys">
            {keys.map(({ id, name }) => (
              <Checkbox
                key={id}
                checked={value.includes(id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...value, id] : value.filter((each) => each !== id))
                }
              >
                {name}
              </Checkbox>
            ))}
            <hr className="my-1.5 border-faint-line" />
            <Checkbox
              checked={isAll}
              indeterminate={value.length > 0 && !isAll}
              onChange={() => onChange(isAll ? [] : ids)}
            >
              Select all
            </Checkbox>
          </div>
          <Button className="mt-2" onClick={() => setAdding(true)}>
            Add SSH key
          </Button>
        </Field>
      )}
      <Note>
        If the image supports the cidata volume and cloud-init, the keys are added when the instance is
        created. Later changes to your keys do not reach it.
      </Note>
      {isAdding && (
        <SshKeyForm
          note={<Note>Keys added here are saved to your profile and outlive this instance.</Note>}
          closeTo={() => setAdding(false)}
        />
      )}
    </FormSection>
  )
}
