/**
 * Paths of the reference API that this server does not serve yet, and the methods it lacks there. Callers get
 * a specific refusal (`NotImplemented`), which does not look like a wrong path. Serving an operation removes
 * its method here; a test compares both.
 */
export const unservedPaths = {
  /** Fleet resources, visible to callers who may read the fleet. */
  fleet: {
    '/v1/system/hardware/rack-switch-port/{rack_id}/{switch_location}/{port}/lldp/neighbors': 'GET',
    '/v1/system/hardware/switch-port': 'GET',
    '/v1/system/hardware/switch-port/{port}/lldp/config': 'GET POST',
    '/v1/system/hardware/switch-port/{port}/settings': 'POST DELETE',
    '/v1/system/hardware/switch-port/{port}/status': 'GET',
    '/v1/system/networking/address-lot': 'GET POST',
    '/v1/system/networking/address-lot/{address_lot}': 'GET DELETE',
    '/v1/system/networking/address-lot/{address_lot}/blocks': 'GET',
    '/v1/system/networking/allow-list': 'GET PUT',
    '/v1/system/networking/bfd-disable': 'POST',
    '/v1/system/networking/bfd-enable': 'POST',
    '/v1/system/networking/bfd-status': 'GET',
    '/v1/system/networking/bgp': 'GET POST DELETE',
    '/v1/system/networking/bgp-announce-set': 'GET PUT',
    '/v1/system/networking/bgp-announce-set/{announce_set}': 'DELETE',
    '/v1/system/networking/bgp-announce-set/{announce_set}/announcement': 'GET',
    '/v1/system/networking/bgp-exported': 'GET',
    '/v1/system/networking/bgp-message-history': 'GET',
    '/v1/system/networking/bgp-routes-ipv4': 'GET',
    '/v1/system/networking/bgp-status': 'GET',
    '/v1/system/networking/inbound-icmp': 'GET PUT',
    '/v1/system/networking/loopback-address': 'GET POST',
    '/v1/system/networking/loopback-address/{rack_id}/{switch_location}/{address}/{subnet_mask}': 'DELETE',
    '/v1/system/networking/switch-port-settings': 'GET POST DELETE',
    '/v1/system/networking/switch-port-settings/{port}': 'GET',
    '/v1/system/update/repository': 'PUT',
    '/v1/system/update/repository/{system_version}': 'GET',
    '/v1/system/update/target-release': 'GET PUT',
    '/v1/system/update/trust-roots': 'GET POST',
    '/v1/system/update/trust-roots/{trust_root_id}': 'GET DELETE',
  },
  /** Requests open to every signed-in user, about their own projects and silo. */
  silo: {
    '/experimental/v1/probes': 'GET POST',
    '/experimental/v1/probes/{probe}': 'GET DELETE',
  },
} as const satisfies Record<'fleet' | 'silo', Record<string, string>>
