interface StartingText {
  label: string
  text: string
}

/** User data to begin with, each complete but for what its comments name. */
export const startingTexts: readonly StartingText[] = [
  {
    label: 'User with SSH key',
    text: `#cloud-config
users:
  - default
  - name: operator
    groups: [sudo]
    shell: /bin/bash
    sudo: ALL=(ALL) NOPASSWD:ALL
    ssh_authorized_keys:
      # Your public key, as it stands in a file such as id_ed25519.pub.
      - ssh-ed25519 AAAA... operator@example.com
`,
  },
  {
    label: 'Install packages',
    text: `#cloud-config
package_update: true
packages:
  - curl
  - nginx
runcmd:
  - [systemctl, enable, --now, nginx]
`,
  },
  {
    label: 'Run a script',
    text: `#!/bin/sh
# Runs once as root, when the instance boots for the first time.
set -eu
echo "Configured on $(date -u)" > /etc/motd
`,
  },
]
