import { addAdoptionRequest } from '@gantry/control-plane/testing/disks'
import type { Chance } from './chance.ts'
import type { Scene } from './scene.ts'
import { finishHistory } from './history-recipes.ts'
import { finishLists } from './list-recipes.ts'
import { finishNetwork } from './network-recipes.ts'
import { proveFactors } from './second-factors.ts'
import { finishUpdate } from './update-recipes.ts'
import type { Draft } from './draft.ts'
import type { Thing } from './world.ts'

const hour = 3_600_000

/** Values that no schema describes: codes that must be fetched first, and proofs. */
export async function finish(
  draft: Draft,
  scene: Scene,
  chance: Chance,
  near: (table: string) => Thing | undefined,
): Promise<void> {
  const { bed, idp, user, acs_url, roles, fleet } = scene
  const [, , samlSilo = ''] = new URL(acs_url).pathname.split('/')
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
  await finishHistory(draft, scene, chance, near)
  finishLists(draft, chance, near)
  switch (draft.op.id.replace(/^plan_/, '')) {
    case 'device_auth_confirm':
    case 'device_auth_deny':
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
    case 'instance_guest_password_set':
    case 'instance_guest_ssh_keys_add':
      if (chance.odds(70)) draft.body = { ...(draft.body as object), user: 'root' }
      break
    case 'current_user_password_change':
      if (chance.odds(70)) draft.body = { old_password: user.password, password: `${chance.word(16)} lamp` }
      break
    case 'login_saml': {
      draft.path = new URL(acs_url).pathname
      const subject = `user-${chance.below(20)}`
      // The scene's clock runs ahead of this host's.
      const saml = { recipient: acs_url, destination: acs_url, subject, confirmedUntil: 24 * hour }
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
    case 'saved_plan_create': {
      const project = near('project')
      const body = JSON.stringify({ description: chance.word(8) })
      if (project && chance.odds(60)) draft.body = { method: 'PUT', path: `/v1/projects/${project.id}`, body }
      break
    }
    case 'four_eyes_settings_update':
      // Not what the other requests are about, which would be refused from then on.
      draft.body = { kinds: [] }
      break
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
    case 'vpc_router_route_create':
      if (chance.odds(40))
        draft.body = {
          name: `route-${chance.word(6)}`,
          description: '',
          destination: { type: 'ip', value: `10.0.${chance.below(256)}.2` },
          target: { type: 'drop' },
        }
      break
    case 'vpc_router_route_update':
      // Few combinations that the schema allows are valid.
      if (chance.odds(40))
        draft.body = { destination: { type: 'ip', value: '10.0.0.2' }, target: { type: 'drop' } }
      break
    case 'saml_identity_provider_create': {
      // Only one of the silos accepts any; a key pair of random texts would be invalid.
      const idp_metadata_source = { type: 'base64_encoded_xml', data: btoa(idp.metadata) }
      draft.query = [['silo', samlSilo]]
      draft.body = { ...(draft.body as object), idp_metadata_source, signing_keypair: null }
      break
    }
    case 'ip_pool_range_add':
    case 'ip_pool_service_range_add': {
      const net = `198.19.${chance.below(256)}`
      if (chance.odds(70)) draft.body = { first: `${net}.1`, last: `${net}.9` }
      break
    }
    case 'external_subnet_create':
      // Of other lengths there are few.
      if (chance.odds(70))
        draft.body = {
          name: `block-${chance.word(6)}`,
          description: '',
          allocator: { type: 'auto', prefix_length: chance.between(26, 32) },
        }
      break
    case 'subnet_pool_member_add':
      if (chance.odds(70)) draft.body = { subnet: `198.19.${chance.below(256)}.${16 * chance.below(16)}/28` }
      break
    case 'ip_pool_range_remove':
      if (chance.odds(60)) {
        draft.path = `/v1/system/ip-pools/${fleet.spare.name}/ranges/remove`
        draft.body = chance.pick(fleet.spare.ranges)
      }
      break
    case 'ip_pool_service_range_remove':
      if (chance.odds(60)) draft.body = fleet.service
      break
    case 'ip_pool_silo_link':
      if (chance.odds(60)) draft.path = `/v1/system/ip-pools/${fleet.spare.name}/silos`
      break
    case 'ip_pool_silo_unlink':
      if (chance.odds(60)) draft.path = `/v1/system/ip-pools/${fleet.linked.name}/silos/${fleet.linked.silo}`
      break
    case 'subnet_pool_delete':
      if (chance.odds(60)) draft.path = `/v1/system/subnet-pools/${fleet.subnets.empty}`
      break
    case 'subnet_pool_member_remove':
      if (chance.odds(60)) {
        draft.path = `/v1/system/subnet-pools/${fleet.subnets.spare}/members/remove`
        draft.body = { subnet: fleet.subnets.member }
      }
      break
    case 'subnet_pool_silo_unlink': {
      const { linked, silo } = fleet.subnets
      if (chance.odds(60)) draft.path = `/v1/system/subnet-pools/${linked}/silos/${silo}`
      break
    }
    case 'backup_target_delete':
      // Others need what the backups of the scene are in.
      draft.path = `/ext/v1/system/backup-targets/${fleet.backupTarget}`
      break
    case 'physical_disk_disable_adoption':
      if (chance.odds(60)) draft.path = draft.path.replace(/[^/]+$/, await addAdoptionRequest(bed))
      break
    case 'networking_switch_port_apply_settings':
    case 'networking_switch_port_clear_settings':
    case 'networking_switch_port_status':
    case 'networking_switch_port_lldp_config_view':
    case 'networking_switch_port_lldp_config_update':
    case 'networking_switch_port_lldp_neighbors':
    case 'networking_loopback_address_create':
    case 'networking_loopback_address_delete':
    case 'networking_switch_port_settings_create':
    case 'networking_switch_port_settings_delete':
    case 'networking_address_lot_create':
    case 'networking_address_lot_delete':
    case 'networking_bgp_announce_set_delete':
    case 'networking_bgp_config_delete':
    case 'networking_bfd_enable':
    case 'networking_bfd_disable':
    case 'networking_allow_list_update':
    case 'network_impact_view':
    case 'network_trial_create':
    case 'network_trial_confirm':
    case 'network_trial_revert':
    case 'multicast_group_view':
    case 'multicast_group_member_list':
    case 'instance_multicast_group_join':
    case 'instance_multicast_group_leave':
      if (chance.odds(70)) await finishNetwork(draft, scene, chance, near)
      break
    case 'sled_add':
      if (chance.odds(60)) draft.body = fleet.sledToAdd
      break
    case 'rack_membership_add_sleds':
      if (chance.odds(60)) {
        const { part, serial } = fleet.sledToAdd
        draft.body = { sled_ids: [{ part_number: part, serial_number: serial }] }
      }
      break
    case 'alert_receiver_subscription_remove':
      if (chance.odds(60)) draft.path = draft.path.replace(/[^/]+$/, encodeURIComponent(fleet.subscription))
      break
    case 'system_update_put_repository':
    case 'system_update_repository_upload':
    case 'system_update_repository_view':
    case 'system_update_recovery_finish':
    case 'system_update_trust_root_create':
    case 'system_update_get_repository':
    case 'update_repository_delete':
    case 'target_release_update':
    case 'update_upload_write':
    case 'update_upload_complete':
    case 'update_retry':
      if (chance.odds(70)) await finishUpdate(draft, scene, chance)
      break
    case 'support_bundle_download_file':
    case 'support_bundle_head_file':
      if (chance.odds(60)) draft.path = draft.path.replace(/[^/]+$/, 'jobs.json')
      break
    case 'scim_token_create':
      // Only one of the silos has users who are managed by SCIM.
      if (chance.odds(70)) draft.query = [['silo', scene.provisioned]]
      break
    case 'saml_metadata_check':
      draft.query = [['silo', samlSilo]]
      if (chance.odds(60))
        draft.body = { idp_metadata_source: { type: 'base64_encoded_xml', data: btoa(idp.metadata) } }
      break
    case 'saml_sign_in_test_view':
      if (chance.odds(70)) draft.path = `/ext/v1/saml-sign-in-tests/${await startedTest(scene, draft)}`
      break
    case 'login_new_password':
      if (chance.odds(70)) {
        draft.path = '/ext/v1/login/demo/new-password'
        draft.headers.cookie = await pendingSignIn(scene, chance)
        draft.body = { password: `battery ${chance.word(16)}` }
      }
      break
    case 'silo_metric':
    case 'system_metric': {
      const metric = chance.pick(['cpus_provisioned', 'ram_provisioned', 'virtual_disk_space_provisioned'])
      draft.path = draft.path.replace(/[^/]+$/, metric)
      const times = { start_time: '2020-01-01T00:00:00Z', end_time: '2099-01-01T00:00:00Z' }
      const rest = draft.query.filter(([name]) => !(name in times))
      if (chance.odds(70)) draft.query = [...rest, ...Object.entries(times)]
      break
    }
    case 'instance_change_list':
      // Otherwise the start is mostly later than all changes of the scene.
      if (chance.odds(70))
        draft.query = [
          ...draft.query.filter(([name]) => name !== 'start_time'),
          ['start_time', '2020-01-01T00:00:00Z'],
        ]
      break
    case 'audit_record_view':
    case 'silo_audit_record_view': {
      const latest = await bed.db.selectFrom('audit').select('id').orderBy('id', 'desc').limit(20).execute()
      const record = latest.length > 0 ? chance.pick(latest).id : crypto.randomUUID()
      draft.path = draft.path.replace(/[^/]+$/, record)
      break
    }
    case 'image_import_create':
      if (chance.odds(80)) {
        draft.body = {
          ...(draft.body as object),
          url: `https://images.test/${chance.word(8)}.raw`,
          sha256: null,
        }
      }
      break
    case 'image_upload_zeros':
      draft.body = { ranges: [{ offset: 512 * chance.below(64), length: 512 }] }
      break
  }
  // What would be planned has its own path below this.
  const plans = '/ext/v1/plans'
  if (draft.op.path.startsWith(plans) && !draft.path.startsWith(plans)) draft.path = plans + draft.path
}

/** Starts a test sign-in as the caller; returns its id, or any if the caller may not start one. */
async function startedTest({ bed, acs_url }: Scene, { headers }: Draft): Promise<string> {
  const [, , silo, , provider] = new URL(acs_url).pathname.split('/')
  const begin = new Request(
    `http://localhost/ext/v1/saml-identity-providers/${provider}/sign-in-tests?silo=${silo}`,
    {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{}',
    },
  )
  const answer = await bed.plane.fetch(begin, { address: '127.0.0.1' })
  const { id } = (await answer.json()) as { id?: string }
  return id ?? crypto.randomUUID()
}

/** The cookie of an invited user who has entered a one-time password. */
async function pendingSignIn({ bed, roles }: Scene, chance: Chance): Promise<string> {
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    bed.plane.fetch(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      { address: `10.3.${chance.below(256)}.${chance.below(256)}` },
    )
  const external_id = `invited-${chance.word(8)}`
  const invited = await send('/ext/v1/system/silos/demo/people', { external_id }, { ...roles[0]?.headers })
  const { password } = (await invited.json()) as { password?: string }
  const asked = await send('/v1/login/demo/local', { username: external_id, password: password ?? '' })
  return asked.headers.get('set-cookie')?.split(';')[0] ?? ''
}
