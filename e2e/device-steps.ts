import { randomUUID } from 'node:crypto'
import type { Served } from './gantry.ts'

/** A device that signs in: what it shows, and what it gets for it. */
export interface Device {
  /** As it shows it: `BCD-FGHJK`. */
  code: string
  verificationUri: string
  /** Its token, or what the server says instead. */
  token: () => Promise<{ access_token?: string; token_id?: string; error?: string }>
}

const form = (values: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(values),
})

export async function device({ url }: Served, ttlSeconds?: number): Promise<Device> {
  const client_id = randomUUID()
  const begun = await fetch(
    `${url}/device/auth`,
    form({ client_id, ...(ttlSeconds !== undefined && { ttl_seconds: String(ttlSeconds) }) }),
  )
  const { user_code, device_code, verification_uri } = (await begun.json()) as Record<string, string>
  return {
    code: user_code ?? '',
    verificationUri: verification_uri ?? '',
    token: async () => {
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      const answer = await fetch(
        `${url}/device/token`,
        form({ grant_type, client_id, device_code: device_code ?? '' }),
      )
      return (await answer.json()) as Awaited<ReturnType<Device['token']>>
    },
  }
}

/** Whether a token opens anything; the name of whom it opens for. */
export async function whoHas({ url }: Served, token: string | undefined): Promise<string | undefined> {
  const answer = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok ? ((await answer.json()) as { display_name: string }).display_name : undefined
}
