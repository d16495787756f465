import { newestVersion, versionHeader, versionText } from '@gantry/api/versions/newest.rules'
import { baseVersion, isIn, versions } from '@gantry/api/versions/version.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '../testing/control-plane.ts'
import { bodyAt, life, type Step } from '../testing/life.ts'
import { silentSaml } from '../testing/saml.ts'
import { rounds } from '../testing/rounds.ts'
import { servedAt } from '../testing/versions/served.ts'

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: silentSaml } })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

/** Those that released clients send; the gate `rounds` lives through all of them. */
const released = [baseVersion, 2026021301, 2026060800, newestVersion]
const lived = rounds<readonly number[]>({ sample: released, all: versions })

const filled = (text: string, kept: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => kept.get(name) ?? whole)

test.each(lived)('version %i creates, reads, changes and deletes one of everything', async (version) => {
  const headers = { [versionHeader]: versionText(version), origin: 'http://localhost' }
  const served = await servedAt(bed, headers)
  const kept = new Map<string, string>()
  const visited = new Set<string>()
  for (const step of life) await live(step)
  const unvisited = served.operations.filter((id) => !visited.has(id))
  expect(unvisited.sort()).toEqual(served.operations.filter((id) => elsewhere.has(id)).sort())

  /** The shape of the answer is checked here, against what is served. */
  async function send(method: string, path: string, body?: object): Promise<Answer> {
    const typed = body && { 'content-type': 'application/json' }
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { ...headers, cookie: operator.cookie, ...typed },
      ...(body && { body: JSON.stringify(body) }),
    })
    const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
  }

  async function live(step: Step): Promise<void> {
    const path = filled(step.path, kept)
    const described = served.find(step.method, path)
    const what = `${step.method} ${path} of ${version}`
    if (!isIn(step, version)) return
    if (!described) throw new Error(`${what} is not in its document`)
    visited.add(described.operationId)
    const body = step.body && JSON.parse(filled(JSON.stringify(bodyAt(step.body, version)), kept))
    served.check(`the body of ${what}`, described.requestBody?.content['application/json']?.schema, body)
    const answer = await send(step.method, path, body)
    if (answer.status >= 300)
      throw new Error(`${what} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    const shape = described.responses[answer.status]?.content?.['application/json']?.schema
    served.check(`the answer to ${what}`, shape, answer.body)
    if (step.keep) kept.set(step.keep, idIn(answer))
    const { until_state: state } = step
    if (state) await reached(answer, path, state)
  }

  async function reached(answer: Answer, path: string, state: string): Promise<void> {
    const [pathname = ''] = path.split('?')
    const list = pathname.replace(/\/[^/]+\/(start|stop|reboot)$/, '')
    const stateOf = ({ body }: Answer) => body.run_state ?? body.state
    await eventually(
      async () => {
        bed.pass(1000)
        return stateOf(await send('GET', `${list}/${answer.body.id}`))
      },
      (now) => now === state,
    )
  }
})

function idIn({ body }: Answer): string {
  const first = body.items?.[0] ?? (Array.isArray(body) ? body[0] : body)
  return first.id
}

/** What tests of their own try: sign-in and device flow, streams and files, and what needs a rack in a certain state. */
const elsewhere = new Set([
  // Sign-in, and what ends it.
  'device_access_token',
  'device_auth_confirm',
  'device_auth_request',
  'login_local',
  'login_saml',
  'login_saml_begin',
  'logout',
  'user_logout',
  'current_user_access_token_delete',
  // Streams and files.
  'instance_serial_console_stream',
  'support_bundle_download',
  'support_bundle_download_file',
  'support_bundle_head',
  'support_bundle_head_file',
  'support_bundle_index',
  'system_update_get_repository',
  'system_update_put_repository',
  'system_update_repository_upload',
  'system_update_repository_view',
  // A rack that lacks a sled, is updated, or has measured something.
  'alert_delivery_resend',
  'alert_receiver_probe',
  'alert_view',
  'rack_membership_abort',
  'rack_membership_add_sleds',
  'sled_add',
  'system_timeseries_query',
  'system_update_recovery_finish',
  'target_release_update',
  'timeseries_query',
  // Roles of the caller, and groups, which only identity providers create.
  'group_view',
  'policy_update',
  'system_policy_update',
])
