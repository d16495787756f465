import { webhookTextMax } from '@gantry/api/alert.rules'
import { DescriptionField, NameField, TextField } from '#/features/common/forms/fields.tsx'
import type { Failure } from '#/data/failure.ts'
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
        text.trim().length > webhookTextMax
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
