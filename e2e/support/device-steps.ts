import { randomUUID } from 'node:crypto'
import type { Served } from './gantry.ts'

/** A device that signs in: the code it displays, and the token it receives. */
export interface Device {
  /** As displayed: `BCD-FGHJK`. */
  code: string
  verificationUri: string
  /** Its token, or the error of the server. */
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

/** The name of the user that a token belongs to; undefined if it is not valid. */
export async function userOf({ url }: Served, token: string | undefined): Promise<string | undefined> {
  const answer = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  return answer.ok ? ((await answer.json()) as { display_name: string }).display_name : undefined
}
