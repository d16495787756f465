import { z } from 'zod'
import { family, get } from '../op.ts'
import { InProject, named, NameOrId, Timestamp } from '../schema.ts'

const LastOutput = named(
  'LastOutput',
  z.object({
    /** The end of what the last machine printed on its serial console; null if no machine has ended yet. */
    output: z
      .object({
        /** When the machine ended. */
        time: Timestamp,
        /** Base64. */
        data: z.string(),
      })
      .nullable(),
  }),
)
export type LastOutput = z.infer<typeof LastOutput>

export const lastOutputOps = family('extensions', [], {
  instanceLastOutputView: get('/ext/v1/instances/{instance}/last-output', {
    summary:
      'Fetch the end of the serial output of the last machine of an instance that has stopped or failed',
    path: z.object({ instance: NameOrId }),
    query: InProject,
    returns: LastOutput,
    reads: ['instance'],
  }),
})
