"""Reference data for rules: countries, risk bands and exchange rates, as dated versions."""
