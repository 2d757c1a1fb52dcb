"""The table that every measure is a formula on."""
