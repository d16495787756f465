import { Accordion } from '#/ui/Accordion.tsx'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { FileField } from '#/ui/inputs/FileField.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { useOpenOnError } from '#/kit/forms/use-open-on-error.ts'
import { userDataProblem } from './problems.ts'
import type { AutoRestartChoice } from './values.ts'

export function ConfigurationSection() {
  const ref = useOpenOnError(['userData'])
  return (
    <div ref={ref}>
      <Accordion title="Configuration">
        <div className="space-y-5">
          <UserDataField />
          <AutoRestartField />
        </div>
      </Accordion>
    </div>
  )
}

const policies: readonly { value: AutoRestartChoice; label: string }[] = [
  { value: 'default', label: 'Default' },
  { value: 'never', label: 'Never' },
  { value: 'best_effort', label: 'Best effort' },
]

function AutoRestartField() {
  const { value, onChange } = useFormField<AutoRestartChoice>('autoRestartPolicy')
  return (
    <Field
      group
      label="Auto-restart policy"
      hint="Whether a failed instance restarts automatically. The default is best effort."
    >
      <RadioGroup options={policies} value={value} onChange={onChange} />
    </Field>
  )
}

const cloudInit = 'https://cloudinit.readthedocs.io/en/latest/'

function UserDataField() {
  const { ref, error, value, onChange, onBlur } = useFormField<File | undefined>('userData', userDataProblem)
  return (
    <Field
      label="User Data"
      hint={
        <>
          Passed to cloud-init as user data where the image supports it. At most 32 KiB. See its{' '}
          <ExternalLink href={`${cloudInit}explanation/format.html`}>formats</ExternalLink> and{' '}
          <ExternalLink href={`${cloudInit}reference/examples.html`}>examples</ExternalLink>.
        </>
      }
      error={error}
      optional
    >
      <FileField ref={ref} name="userData" value={value} onChange={onChange} onBlur={onBlur} />
    </Field>
  )
}
