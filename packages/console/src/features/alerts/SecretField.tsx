import { webhookTextMax } from '@gantry/api/alert.rules'
import { useFormField } from '#/features/common/forms/fields.tsx'
import { randomHex } from '#/features/common/random-hex.ts'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { Field } from '#/ui/Field.tsx'
import { TextInput } from '#/ui/TextInput.tsx'

/** A secret that the receiver knows too. It is readable while typed, so that it can be copied there. */
export function SecretField() {
  const { ref, error, value, onChange, onBlur } = useFormField<string>('secret', (secret) => {
    if (secret === '') return 'Secret is required'
    return secret.length > webhookTextMax ? `A secret has at most ${webhookTextMax} characters` : undefined
  })
  return (
    <div className="max-w-form space-y-2">
      <Field
        label="Secret"
        hint="Requests are signed with it, so that the receiver can check who sent them. Copy it now: it is never shown again."
        error={error}
      >
        <div className="relative">
          <TextInput
            ref={ref}
            name="secret"
            mono
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
            className="pr-10"
          />
          {value !== '' && <CopyButton text={value} className="absolute! inset-y-0 right-1.5 my-auto" />}
        </div>
      </Field>
      <Button onClick={() => onChange(randomHex(32))}>Generate secret</Button>
    </div>
  )
}
