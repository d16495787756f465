import { webhookTextMax } from '@gantry/api/system/alert.rules'
import { isLonger } from '@gantry/api/base/text.rules'
import { DescriptionField, NameField, TextField, useTextField } from '#/kit/forms/fields.tsx'
import type { Failure } from '#/data/failure.ts'
import { randomHex } from '#/kit/page/bytes.ts'
import { Button } from '#/ui/Button.tsx'
import { CopyButton } from '#/ui/CopyButton.tsx'
import { Field } from '#/ui/inputs/Field.tsx'
import { TextInput } from '#/ui/inputs/TextInput.tsx'
import { endpointFieldProblem } from './words.ts'

/** The fields of both forms. */
export const ReceiverFields = () => (
  <>
    <NameField name="name" />
    <DescriptionField name="description" />
    <TextField
      name="endpoint"
      mono
      placeholder="https://alerts.example.com/hook"
      hint="Requests go to this URL with POST. The server's settings must allow private networks."
      problem={(text) =>
        isLonger(text.trim(), webhookTextMax)
          ? `An endpoint has at most ${webhookTextMax} characters`
          : endpointFieldProblem(text)
      }
    />
  </>
)

/** The field that a refusal of the server concerns. */
export function refusedField({
  errorCode,
  message,
}: Failure): 'name' | 'endpoint' | 'secret' | 'subscriptions' | undefined {
  if (errorCode === 'ObjectAlreadyExists') return 'name'
  if (/^endpoint\b/i.test(message)) return 'endpoint'
  if (/^secrets?\b/i.test(message)) return 'secret'
  return /"alert_class"|^subscriptions?\b/i.test(message) ? 'subscriptions' : undefined
}

/** A secret shared with the receiver. Shown in plain text, so that the user can copy it there. */
export function SecretField() {
  const { input, setText, error } = useTextField(
    'secret',
    (secret) => {
      if (secret === '') return 'Secret is required'
      return isLonger(secret, webhookTextMax)
        ? `A secret has at most ${webhookTextMax} characters`
        : undefined
    },
    { isVerbatim: true },
  )
  return (
    <div className="max-w-form space-y-2">
      <Field
        label="Secret"
        hint="Signs requests, so that the receiver can verify the sender. Copy it now: it is never shown again."
        error={error}
      >
        <div className="relative">
          <TextInput {...input} mono className="pr-10" />
          {input.value !== '' && (
            <CopyButton text={input.value} className="absolute! inset-y-0 right-1.5 my-auto" />
          )}
        </div>
      </Field>
      <Button onClick={() => setText(randomHex(32))}>Generate secret</Button>
    </div>
  )
}
