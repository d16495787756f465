import '@gantry/api/raw.d'
