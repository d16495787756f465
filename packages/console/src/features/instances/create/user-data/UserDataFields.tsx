import { Button } from '#/ui/Button.tsx'
import { ExternalLink } from '#/ui/ExternalLink.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { FileField } from '#/ui/inputs/FileField.tsx'
import { RadioGroup } from '#/ui/inputs/Radio.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { useFormField } from '#/kit/forms/fields.tsx'
import { userDataProblem } from '../problems.ts'
import type { InstanceValues } from '../values.ts'
import { startingTexts } from './starting-texts.ts'
import { userDataTextProblem } from './user-data.ts'

const UserDataEditor = lazyPart(
  () => import('./UserDataEditor.tsx'),
  'UserDataEditor',
  <div className="h-34 rounded-control border border-control-line bg-raised p-3">
    <Skeleton />
  </div>,
)

const sources: readonly { value: InstanceValues['userDataFrom']; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'text', label: 'Text' },
  { value: 'file', label: 'File' },
]

const cloudInit = 'https://cloudinit.readthedocs.io/en/latest/'

/** User data as a text or a file. Each keeps what it has while the other is selected. */
export function UserDataFields() {
  const { value, onChange } = useFormField<InstanceValues['userDataFrom']>('userDataFrom')
  return (
    <div className="space-y-3">
      <Field
        group
        label="User Data"
        hint={
          <>
            Passed to cloud-init as user data where the image supports it. At most 32 KiB. See its{' '}
            <ExternalLink href={`${cloudInit}explanation/format.html`}>formats</ExternalLink> and{' '}
            <ExternalLink href={`${cloudInit}reference/examples.html`}>examples</ExternalLink>.
          </>
        }
        optional
      >
        <RadioGroup options={sources} value={value} onChange={onChange} />
      </Field>
      {value === 'text' && <TextOfUserData />}
      {value === 'file' && <FileOfUserData />}
    </div>
  )
}

function TextOfUserData() {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('userDataText', userDataTextProblem)
  // A text of one's own is not replaced by a press.
  const isOwn = value.trim() !== '' && !startingTexts.some(({ text }) => text === value)
  return (
    <Field group label="Text" hideLabel error={error}>
      <div role="group" aria-label="Begin with" className="mb-2 flex flex-wrap items-center gap-2">
        <span className="text-sm text-muted">Begin with</span>
        {startingTexts.map(({ label, text }) => (
          <Button
            key={label}
            disabledReason={isOwn ? 'This would replace your text. Delete it first.' : undefined}
            onClick={() => onChange(text)}
          >
            {label}
          </Button>
        ))}
      </div>
      <UserDataEditor
        ref={ref}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        isInvalid={error !== undefined}
      />
    </Field>
  )
}

function FileOfUserData() {
  const { ref, error, value, onChange, onBlur } = useFormField<File | undefined>('userData', userDataProblem)
  return (
    <Field label="User data file" error={error}>
      <FileField ref={ref} name="userData" value={value} onChange={onChange} onBlur={onBlur} />
    </Field>
  )
}
