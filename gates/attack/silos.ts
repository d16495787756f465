/** The body that creates a silo, with the fields that a test is about. */
export const newSilo = (name: string, more: object = {}) => ({
  name,
  description: '',
  discoverable: false,
  identity_mode: 'local_only',
  quotas: { cpus: 0, memory: 0, storage: 0 },
  tls_certificates: [],
  mapped_fleet_roles: {},
  ...more,
})
