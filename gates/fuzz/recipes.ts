import type { Chance } from './chance.ts'
import type { Scene } from './scene.ts'
import { proveFactors } from './second-factors.ts'
import type { Draft } from './draft.ts'
import type { Thing } from './world.ts'

/** Values that no schema describes: codes that have to be fetched first, and proofs. */
export async function finish(
  draft: Draft,
  scene: Scene,
  chance: Chance,
  near: (table: string) => Thing | undefined,
): Promise<void> {
  const { bed, idp, user, acs_url, roles } = scene
  const device = async (): Promise<{ user_code: string; device_code: string; client_id: string }> => {
    const client_id = crypto.randomUUID()
    const request = new Request('http://localhost/device/auth', {
      method: 'POST',
      body: new URLSearchParams({ client_id }),
    })
    const answer = await bed.plane.fetch(request, {
      address: `10.1.${chance.below(256)}.${chance.below(256)}`,
    })
    return { ...((await answer.json()) as { user_code: string; device_code: string }), client_id }
  }
  await proveFactors(draft, scene, chance)
  switch (draft.op.id) {
    case 'device_auth_confirm':
      if (chance.odds(50)) draft.body = { user_code: (await device()).user_code }
      break
    case 'device_access_token': {
      const { user_code, ...asks } = await device()
      const confirm = new Request('http://localhost/device/confirm', {
        method: 'POST',
        headers: { ...roles[0]?.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ user_code }),
      })
      if (chance.odds(50)) await (await bed.plane.fetch(confirm, { address: '127.0.0.1' })).text()
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      draft.text = new URLSearchParams({ ...asks, grant_type }).toString()
      break
    }
    case 'login_local':
      if (chance.odds(60)) {
        draft.path = `/v1/login/${user.silo}/local`
        draft.body = { username: user.name, password: user.password }
      }
      break
    case 'current_user_password_change':
      if (chance.odds(70)) draft.body = { old_password: user.password, password: `${chance.word(16)} lamp` }
      break
    case 'login_saml': {
      draft.path = new URL(acs_url).pathname
      const saml = { recipient: acs_url, destination: acs_url, subject: `user-${chance.below(20)}` }
      draft.text = new URLSearchParams({ SAMLResponse: idp.post(saml) }).toString()
      break
    }
    case 'login_saml_begin':
      draft.path = `${new URL(acs_url).pathname}/redirect`
      break
    case 'image_upload_write': {
      const bytes = new Uint8Array(512 * chance.between(1, 4))
      const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64')
      draft.query = [['offset', String(512 * chance.below(64))]]
      draft.headers['content-digest'] = `sha-256=:${hash}:`
      draft.text = bytes
      break
    }
    case 'system_policy_update': {
      // The last administrator must not be able to remove everyone's fleet access.
      const admin = {
        identity_type: 'silo_user',
        identity_id: roles[0]?.user_id,
        role_name: 'admin',
      }
      const { role_assignments } = draft.body as { role_assignments: unknown[] }
      draft.body = { role_assignments: [admin, ...role_assignments] }
      break
    }
    case 'fault_inject': {
      const fault = draft.body as Record<string, unknown>
      if (fault.kind === 'sled_lost') delete fault.instance_id
      else delete fault.sled_id
      break
    }
    case 'instance_network_interface_create': {
      const subnet = near('vpc_subnet')
      const names = { vpc_name: subnet?.parents.vpc?.name, subnet_name: subnet?.name }
      draft.body = { name: `nic-${chance.word(6)}`, description: '', ...names }
      break
    }
    case 'disk_bulk_write_import':
      draft.body = { offset: 512 * chance.below(64), base64_encoded_data: btoa('\0'.repeat(512)) }
      break
    case 'vpc_router_route_update':
      // Few combinations that the schema allows are valid.
      if (chance.odds(40))
        draft.body = { destination: { type: 'ip', value: '10.0.0.2' }, target: { type: 'drop' } }
      break
    case 'saml_identity_provider_create': {
      // Only one of the silos accepts any; a key pair of random texts would be invalid.
      const idp_metadata_source = { type: 'base64_encoded_xml', data: btoa(idp.metadata) }
      draft.query = [['silo', new URL(acs_url).pathname.split('/')[2] ?? '']]
      draft.body = { ...(draft.body as object), idp_metadata_source, signing_keypair: null }
      break
    }
    case 'image_upload_zeros':
      draft.body = { ranges: [{ offset: 512 * chance.below(64), length: 512 }] }
      break
  }
}
